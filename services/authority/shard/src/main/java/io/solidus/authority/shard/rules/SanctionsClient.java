package io.solidus.authority.shard.rules;

import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the public pages of the sanctions service, with limits on time and size. The caller
 * verifies what it returns.
 */
public final class SanctionsClient implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SanctionsClient.class);
  private static final Duration NOTE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LIST_TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_NOTE_BYTES = 64 * 1024;
  private static final int MAX_LIST_BYTES = SanctionList.MAX_KEYS * SanctionKey.BYTES;

  private final URI base;
  private final BoundedCalls http;

  /**
   * Makes a client.
   *
   * @param http closed with this client
   */
  public SanctionsClient(HttpClient http, URI base) {
    this.http = new BoundedCalls(http);
    this.base = base;
  }

  public Optional<String> newestPolicy() {
    return note("/v1/policy");
  }

  public Optional<String> policy(long version) {
    return note("/v1/policies/" + version);
  }

  public Optional<String> newestCheckpoint() {
    return note("/v1/sanctions/checkpoint");
  }

  public Optional<String> checkpoint(long version) {
    return note("/v1/sanctions/checkpoints/" + version);
  }

  public Optional<String> heartbeat() {
    return note("/v1/sanctions/heartbeat");
  }

  public Optional<byte[]> list(long version) {
    return get(
        "/v1/sanctions/checkpoints/" + version + "/list",
        "application/octet-stream",
        LIST_TIMEOUT,
        MAX_LIST_BYTES);
  }

  @Override
  public void close() {
    http.close();
  }

  private Optional<String> note(String path) {
    return get(path, "text/plain", NOTE_TIMEOUT, MAX_NOTE_BYTES)
        .map(b -> new String(b, StandardCharsets.UTF_8));
  }

  private Optional<byte[]> get(String path, String accept, Duration timeout, int maxBytes) {
    String root = base.toString().replaceAll("/+$", "");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(root + path)).header("Accept", accept);
    try {
      return Optional.of(http.send(request, timeout, maxBytes))
          .filter(BoundedCalls.Answer::isOk)
          .map(BoundedCalls.Answer::body);
    } catch (NoAnswerException e) {
      log.debug("the sanctions service {} for {}", e.getMessage(), path);
      return Optional.empty();
    }
  }
}
