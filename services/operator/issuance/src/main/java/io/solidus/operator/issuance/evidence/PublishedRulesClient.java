package io.solidus.operator.issuance.evidence;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/**
 * Fetches policies and checkpoints by version from the sanctions service and verifies their
 * issuer's signature. A published version never changes, so it is cached. This class does not check
 * whether a version was in force at the time of a transfer, because the validators did.
 */
public final class PublishedRulesClient implements AutoCloseable {
  private static final int MAX_NOTE_BYTES = 64 * 1024;
  private static final int CACHED_VERSIONS = 256;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final NetworkId network;
  private final NoteKey policyKey;
  private final NoteKey sanctionsKey;
  private final URI base;
  private final Duration timeout;
  private final HttpClient http;
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Long, Policy> policies = new LruMap<>();
  private final Map<Long, SanctionCheckpoint> checkpoints = new LruMap<>();

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param timeout of a whole call
   */
  public PublishedRulesClient(
      NetworkId network,
      NoteKey policyKey,
      NoteKey sanctionsKey,
      HttpClient http,
      URI base,
      Duration timeout) {
    this.network = network;
    this.policyKey = policyKey;
    this.sanctionsKey = sanctionsKey;
    this.base = URI.create(base.toString().endsWith("/") ? base.toString() : base + "/");
    this.timeout = timeout;
    this.http = http;
  }

  /**
   * Returns the rules of a policy and a checkpoint version.
   *
   * @throws ProtocolException unknown-policy, unknown-checkpoint, or unavailable when there is no
   *     valid answer
   */
  public LimitsAndRoot of(long policyVersion, long checkpointVersion) {
    Policy policy =
        find(
            policies,
            "v1/policies/",
            policyVersion,
            policyKey,
            Policy::parse,
            Policy::version,
            RejectionCode.UNKNOWN_POLICY);
    SanctionCheckpoint checkpoint =
        find(
            checkpoints,
            "v1/sanctions/checkpoints/",
            checkpointVersion,
            sanctionsKey,
            SanctionCheckpoint::parse,
            SanctionCheckpoint::version,
            RejectionCode.UNKNOWN_CHECKPOINT);
    return new LimitsAndRoot(Limits.of(policy), checkpoint.root());
  }

  private <T> T find(
      Map<Long, T> cache,
      String path,
      long version,
      NoteKey issuer,
      BiFunction<NetworkId, String, T> parse,
      ToLongFunction<T> versionOf,
      RejectionCode unknown) {
    synchronized (cache) {
      T found = cache.get(version);
      if (found != null) {
        return found;
      }
    }
    T fetched = read(exchangeWithinTimeout(base.resolve(path + version), unknown), issuer, parse);
    if (versionOf.applyAsLong(fetched) != version) {
      throw unavailable("the sanctions service answered with another version");
    }
    synchronized (cache) {
      cache.put(version, fetched);
    }
    return fetched;
  }

  private <T> T read(String note, NoteKey issuer, BiFunction<NetworkId, String, T> parse) {
    try {
      return parse.apply(network, SignedNote.parse(note).requireSignedBy(issuer).text());
    } catch (ProtocolException e) {
      throw unavailable("the sanctions service answered with a note that its issuer did not sign");
    }
  }

  /** Limits the whole call, because the client's own timeout does not cover a slow body. */
  private String exchangeWithinTimeout(URI uri, RejectionCode unknown) {
    Future<String> call = calls.submit(() -> exchange(uri, unknown));
    try {
      return call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw unavailable("interrupted");
    } catch (TimeoutException e) {
      call.cancel(true);
      throw unavailable("the sanctions service did not answer in time");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ProtocolException refusal) {
        throw new ProtocolException(refusal.code(), refusal.detail(), refusal);
      }
      throw unavailable("the sanctions service cannot be reached");
    }
  }

  private String exchange(URI uri, RejectionCode unknown) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(timeout).GET().build();
    HttpResponse<InputStream> response =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = response.body()) {
      if (response.statusCode() == NOT_FOUND) {
        throw new ProtocolException(unknown, "the evidence names a version that is not published");
      }
      if (response.statusCode() != OK) {
        throw unavailable("the sanctions service answered " + response.statusCode());
      }
      byte[] body = in.readNBytes(MAX_NOTE_BYTES + 1);
      if (body.length > MAX_NOTE_BYTES) {
        throw unavailable("the sanctions service's answer is too long");
      }
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  private static ProtocolException unavailable(String detail) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, detail);
  }

  @Override
  public void close() {
    calls.shutdownNow();
    http.shutdownNow();
  }

  /** A map of the most recently used versions. */
  private static final class LruMap<T> extends LinkedHashMap<Long, T> {
    private static final long serialVersionUID = 1L;

    LruMap() {
      super(CACHED_VERSIONS, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
      return size() > CACHED_VERSIONS;
    }
  }
}
