package io.solidus.edge.prover.proving;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.v1.GetProverKeyReply;
import io.solidus.wire.v1.GetProverKeyRequest;
import io.solidus.wire.v1.ProveReply;
import io.solidus.wire.v1.ProveRequest;
import io.solidus.wire.v1.ProverServiceGrpc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gRPC service. Callers are anonymous. Their witnesses are sealed and never logged. Gateways
 * relay the answers, so a refusal does not name the fault of a witness. The wallet can check its
 * own copy.
 */
class ProverEndpoint extends ProverServiceGrpc.ProverServiceImplBase {
  private static final Logger log = LoggerFactory.getLogger(ProverEndpoint.class);
  private static final int MAX_SEALED_BYTES = 64 * 1024;

  private final KeySet keys;
  private final DelegatedProver proving;
  private final HpkePrivateKey key;

  ProverEndpoint(KeySet keys, DelegatedProver proving, HpkePrivateKey key) {
    this.keys = keys;
    this.proving = proving;
    this.key = key;
  }

  @Override
  public void getProverKey(
      GetProverKeyRequest request, StreamObserver<GetProverKeyReply> observer) {
    Family family =
        keys.kind() == NetworkKind.REGULATED ? Family.TRANSFER : Family.TRANSFER_UNREGULATED;
    observer.onNext(
        GetProverKeyReply.newBuilder()
            .setPublicKey(ByteString.copyFrom(key.publicKey().bytes()))
            .setCircuitVersion(keys.circuitVersion(family))
            .build());
    observer.onCompleted();
  }

  @Override
  public void prove(ProveRequest request, StreamObserver<ProveReply> observer) {
    try {
      byte[] sealed = proving.prove(Family.of(request.getFamily()), message(request));
      observer.onNext(ProveReply.newBuilder().setSealedProof(ByteString.copyFrom(sealed)).build());
      observer.onCompleted();
    } catch (HpkeException | ProtocolException e) {
      observer.onError(unusable().asRuntimeException());
    } catch (NativeException e) {
      observer.onError(status(e.code()).asRuntimeException());
    }
  }

  private static SealedMessage message(ProveRequest request) {
    if (request.getSealedWitness().size() > MAX_SEALED_BYTES) {
      throw ProtocolException.malformed("a sealed witness is too large");
    }
    return new SealedMessage(
        request.getEncapsulatedKey().toByteArray(), request.getSealedWitness().toByteArray());
  }

  private static Status unusable() {
    return Status.INVALID_ARGUMENT.withDescription("the witness cannot be used");
  }

  private static Status status(NativeErrorCode code) {
    return switch (code) {
      case OVERLOADED ->
          Status.RESOURCE_EXHAUSTED.withDescription("too many proofs at once; try again shortly");
      case DEADLINE_EXCEEDED ->
          Status.DEADLINE_EXCEEDED.withDescription("the proof was not finished in time");
      case CANCELLED -> Status.UNAVAILABLE.withDescription("the prover is stopping");
      case KEYS_NO_CIRCUIT -> unusable();
      default ->
          code == NativeErrorCode.INTERNAL || code.name().startsWith("KEYS_")
              ? broken(code)
              : unusable();
    };
  }

  private static Status broken(NativeErrorCode code) {
    log.error("the native prover failed: {}", code);
    return Status.INTERNAL.withDescription("internal");
  }
}
