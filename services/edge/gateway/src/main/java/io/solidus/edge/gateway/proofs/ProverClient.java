package io.solidus.edge.gateway.proofs;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.v1.GetProverKeyRequest;
import io.solidus.wire.v1.ProveReply;
import io.solidus.wire.v1.ProveRequest;
import io.solidus.wire.v1.ProverServiceGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Client of the prover service, if one is configured. */
@Component
public class ProverClient {
  private static final long KEY_LIMIT_SECONDS = 2;

  /** The longest wait for a proof. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  /** How long a proof is repeated to a request with the same Idempotency-Key. */
  public static final Duration KEY_KEPT = Duration.ofMinutes(10);

  private static final long KEY_CACHE_NANOS = 5_000_000_000L;

  private final GatewayProperties properties;
  private final GrpcChannels channels;
  private volatile @Nullable CachedKey cached;

  ProverClient(GatewayProperties properties, GrpcChannels channels) {
    this.properties = properties;
    this.channels = channels;
  }

  /**
   * The prover's X25519 key, base64url; empty when no prover is configured or it does not answer.
   * The answer is cached for five seconds.
   */
  public Optional<String> publicKey() {
    if (properties.proverAddress().isEmpty()) {
      return Optional.empty();
    }
    CachedKey last = cached;
    if (last == null || System.nanoTime() - last.fetchedAt() > KEY_CACHE_NANOS) {
      last = new CachedKey(fetchKey(), System.nanoTime());
      cached = last;
    }
    return last.key();
  }

  private record CachedKey(Optional<String> key, long fetchedAt) {}

  private Optional<String> fetchKey() {
    try {
      byte[] key =
          stub()
              .withDeadlineAfter(KEY_LIMIT_SECONDS, TimeUnit.SECONDS)
              .getProverKey(GetProverKeyRequest.getDefaultInstance())
              .getPublicKey()
              .toByteArray();
      return Optional.of(Base64Url.encode(key));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Relays a proof request.
   *
   * @throws ProtocolException not-found without a prover; malformed-request, overloaded or
   *     unavailable
   */
  ProveReply prove(ProveRequest request) {
    if (properties.proverAddress().isEmpty()) {
      throw new ProtocolException(
          RejectionCode.NOT_FOUND, "this gateway offers no delegated proving");
    }
    try {
      return stub().withDeadlineAfter(LIMIT.toSeconds(), TimeUnit.SECONDS).prove(request);
    } catch (StatusRuntimeException e) {
      throw refusal(e.getStatus().getCode());
    }
  }

  private ProverServiceGrpc.ProverServiceBlockingStub stub() {
    return ProverServiceGrpc.newBlockingStub(channels.to(properties.proverAddress()));
  }

  private static ProtocolException refusal(Status.Code code) {
    return switch (code) {
      case INVALID_ARGUMENT -> ProtocolException.malformed("the prover cannot use this witness");
      case RESOURCE_EXHAUSTED ->
          new ProtocolException(RejectionCode.OVERLOADED, "the prover is busy; try again shortly");
      default -> new ProtocolException(RejectionCode.UNAVAILABLE, "the prover does not answer");
    };
  }
}
