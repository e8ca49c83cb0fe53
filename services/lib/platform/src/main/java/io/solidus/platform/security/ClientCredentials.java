package io.solidus.platform.security;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tokens by OAuth 2 client credentials (RFC 6749, section 4.4). One request at a time fetches a
 * token; others wait for it no longer than a request may take. A token is renewed in the last fifth
 * of its life, and used to its end when the provider is away.
 */
final class ClientCredentials implements BearerToken, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ClientCredentials.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int FRACTION_LEFT = 5;

  /** A token is not sent that would end on its way. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  /** The pause after a failed request. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final OpenIdProvider provider;
  private final ServiceClientProperties client;
  private final Path secretFile;
  private final Clock clock;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile Token token = new Token("", Instant.MIN, Instant.MIN);
  private Instant pauseUntil = Instant.MIN;

  private record Token(String value, Instant renewAt, Instant endsAt) {}

  /**
   * @param provider closed with this object
   */
  ClientCredentials(OpenIdProvider provider, ServiceClientProperties client, Clock clock) {
    this.provider = provider;
    this.client = client;
    this.secretFile =
        Objects.requireNonNull(
            client.secretFile(), "solidus.service-client.secret-file is missing");
    this.clock = clock;
  }

  @Override
  public String value() throws IOException {
    Token current = token;
    if (clock.instant().isBefore(current.renewAt())) {
      return current.value();
    }
    try {
      if (!fetching.tryLock(client.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
        return unlessEnded(null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unlessEnded(null);
    }
    try {
      Instant now = clock.instant();
      if (!now.isBefore(token.renewAt()) && !now.isBefore(pauseUntil)) {
        pauseUntil = now.plus(PAUSE);
        token = fetch(now);
      }
    } catch (IOException e) {
      log.warn("this service gets no new access token: {}", e.getMessage());
      return unlessEnded(e);
    } finally {
      fetching.unlock();
    }
    return unlessEnded(null);
  }

  private String unlessEnded(@Nullable IOException why) throws IOException {
    Token current = token;
    if (clock.instant().plus(MARGIN).isBefore(current.endsAt())) {
      return current.value();
    }
    throw new IOException("there is no valid access token for this service", why);
  }

  private Token fetch(Instant now) throws IOException {
    URI endpoint =
        client.tokenUrl().isEmpty()
            ? provider.endpoint("token_endpoint")
            : URI.create(client.tokenUrl());
    Map<String, String> form = new TreeMap<>(client.parameters());
    form.put("grant_type", "client_credentials");
    String body =
        form.entrySet().stream()
            .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
            .collect(Collectors.joining("&"));
    String answer =
        provider.send(
            HttpRequest.newBuilder(endpoint)
                .header("Authorization", "Basic " + credentials())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    try {
      JsonNode json = JSON.readTree(answer);
      String value = json.path("access_token").asString("");
      long seconds = json.path("expires_in").asLong(0);
      if (value.isEmpty() || seconds <= 0) {
        throw new IOException("the OpenID provider's token has no value or no end");
      }
      Duration life = Duration.ofSeconds(seconds);
      Instant end = now.plus(life);
      return new Token(value, end.minus(life.dividedBy(FRACTION_LEFT)), end);
    } catch (JacksonException e) {
      throw new IOException("the OpenID provider's token cannot be read", e);
    }
  }

  private String credentials() throws IOException {
    String secret = Files.readString(secretFile, StandardCharsets.UTF_8).strip();
    return Base64.getEncoder()
        .encodeToString(
            (encode(client.id()) + ":" + encode(secret)).getBytes(StandardCharsets.UTF_8));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    provider.close();
  }
}
