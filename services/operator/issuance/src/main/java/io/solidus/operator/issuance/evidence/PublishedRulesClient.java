package io.solidus.operator.issuance.evidence;

import io.solidus.platform.http.BoundedCalls;
import io.solidus.platform.http.NoAnswerException;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import io.solidus.prover.Limits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
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

  private final NetworkId network;
  private final NoteKeys policyKeys;
  private final NoteKeys sanctionsKeys;
  private final InstantSource clock;
  private final URI base;
  private final Duration timeout;
  private final BoundedCalls http;
  private final LruMap<Long, Policy> policies = new LruMap<>(CACHED_VERSIONS);
  private final LruMap<Long, SanctionCheckpoint> checkpoints = new LruMap<>(CACHED_VERSIONS);

  /**
   * Creates the client.
   *
   * @param http closed with this client
   * @param base URL of the sanctions service
   * @param timeout of a whole call
   */
  public PublishedRulesClient(
      NetworkId network,
      NoteKeys policyKeys,
      NoteKeys sanctionsKeys,
      InstantSource clock,
      HttpClient http,
      URI base,
      Duration timeout) {
    this.network = network;
    this.policyKeys = policyKeys;
    this.sanctionsKeys = sanctionsKeys;
    this.clock = clock;
    this.base = URI.create(base.toString().endsWith("/") ? base.toString() : base + "/");
    this.timeout = timeout;
    this.http = new BoundedCalls(http);
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
            policyKeys,
            Policy::parse,
            Policy::version,
            RejectionCode.UNKNOWN_POLICY);
    SanctionCheckpoint checkpoint =
        find(
            checkpoints,
            "v1/sanctions/checkpoints/",
            checkpointVersion,
            sanctionsKeys,
            SanctionCheckpoint::parse,
            SanctionCheckpoint::version,
            RejectionCode.UNKNOWN_CHECKPOINT);
    return new LimitsAndRoot(Limits.of(policy), checkpoint.root());
  }

  /**
   * Returns the policy in force.
   *
   * @throws ProtocolException unknown-policy before the first one is in force, or unavailable when
   *     there is no valid answer
   */
  public Policy inForce() {
    return read(
        fetch(base.resolve("v1/policy"), RejectionCode.UNKNOWN_POLICY), policyKeys, Policy::parse);
  }

  private <T> T find(
      LruMap<Long, T> cache,
      String path,
      long version,
      NoteKeys issuer,
      BiFunction<NetworkId, String, T> parse,
      ToLongFunction<T> versionOf,
      RejectionCode unknown) {
    Optional<T> known = cache.find(version);
    if (known.isPresent()) {
      return known.get();
    }
    T fetched = read(fetch(base.resolve(path + version), unknown), issuer, parse);
    if (versionOf.applyAsLong(fetched) != version) {
      throw unavailable("the sanctions service answered with another version");
    }
    cache.remember(version, fetched);
    return fetched;
  }

  private <T> T read(String note, NoteKeys issuer, BiFunction<NetworkId, String, T> parse) {
    try {
      return parse.apply(network, issuer.require(SignedNote.parse(note), clock.instant()).text());
    } catch (ProtocolException e) {
      throw unavailable("the sanctions service answered with a note that its issuer did not sign");
    }
  }

  private String fetch(URI uri, RejectionCode unknown) {
    BoundedCalls.Answer answer;
    try {
      answer = http.send(HttpRequest.newBuilder(uri), timeout, MAX_NOTE_BYTES);
    } catch (NoAnswerException e) {
      throw unavailable("the sanctions service " + e.getMessage());
    }
    if (answer.isNotFound()) {
      throw new ProtocolException(unknown, "the evidence names a version that is not published");
    }
    if (!answer.isOk()) {
      throw unavailable("the sanctions service answered " + answer.status());
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static ProtocolException unavailable(String detail) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, detail);
  }

  @Override
  public void close() {
    http.close();
  }
}
