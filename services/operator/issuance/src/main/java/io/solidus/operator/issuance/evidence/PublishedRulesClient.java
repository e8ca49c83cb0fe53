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
 * Policies and checkpoints by version, each believed for the signature of its issuer alone and
 * never changed once published. Whether a version was in force when a transfer was made is the
 * validators' business: 2f+1 of them signed it.
 */
public final class PublishedRulesClient implements AutoCloseable {
  private static final int MAX_NOTE_BYTES = 64 * 1024;
  private static final int REMEMBERED = 256;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final NetworkId network;
  private final NoteKey policyKey;
  private final NoteKey sanctionsKey;
  private final URI base;
  private final Duration timeout;
  private final HttpClient http;
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Long, Policy> policies = new Recent<>();
  private final Map<Long, SanctionCheckpoint> checkpoints = new Recent<>();

  /**
   * @param http the way to the sanctions service, closed with this
   * @param base of the sanctions service
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
   * @throws ProtocolException unknown-policy, unknown-checkpoint, or unavailable when they cannot
   *     be had now
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
      Map<Long, T> known,
      String path,
      long version,
      NoteKey issuer,
      BiFunction<NetworkId, String, T> parse,
      ToLongFunction<T> versionOf,
      RejectionCode unknown) {
    synchronized (known) {
      T found = known.get(version);
      if (found != null) {
        return found;
      }
    }
    T fetched = read(inTime(base.resolve(path + version), unknown), issuer, parse);
    if (versionOf.applyAsLong(fetched) != version) {
      throw unavailable("the sanctions service answered with another version");
    }
    synchronized (known) {
      known.put(version, fetched);
    }
    return fetched;
  }

  private <T> T read(String note, NoteKey issuer, BiFunction<NetworkId, String, T> parse) {
    try {
      return parse.apply(network, SignedNote.parse(note).requireSignedBy(issuer).text());
    } catch (ProtocolException notBelieved) {
      throw unavailable("the sanctions service answered with a note that its issuer did not sign");
    }
  }

  /** The client's own timeout ends with the headers; this one covers a body that drips. */
  private String inTime(URI uri, RejectionCode unknown) {
    Future<String> call = calls.submit(() -> exchange(uri, unknown));
    try {
      return call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw unavailable("interrupted");
    } catch (TimeoutException e) {
      call.cancel(true);
      throw unavailable("the sanctions service does not answer in time");
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
        throw unavailable("the sanctions service answered too much");
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

  /** The versions used last. */
  private static final class Recent<T> extends LinkedHashMap<Long, T> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(REMEMBERED, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
      return size() > REMEMBERED;
    }
  }
}
