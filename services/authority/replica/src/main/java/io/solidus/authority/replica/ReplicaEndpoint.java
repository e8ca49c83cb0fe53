package io.solidus.authority.replica;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.v1.AnswerReply;
import io.solidus.wire.v1.AnswerRequest;
import io.solidus.wire.v1.CountersignReply;
import io.solidus.wire.v1.CountersignRequest;
import io.solidus.wire.v1.ReplicaServiceGrpc;

/** The gRPC service. Callers are anonymous, and nothing of a query is logged. */
class ReplicaEndpoint extends ReplicaServiceGrpc.ReplicaServiceImplBase {
  private final Replica replica;

  ReplicaEndpoint(Replica replica) {
    this.replica = replica;
  }

  @Override
  public void countersign(CountersignRequest request, StreamObserver<CountersignReply> observer) {
    observer.onNext(
        CountersignReply.newBuilder()
            .setNote(replica.countersigned(request.getClosed()).map(SignedNote::encode).orElse(""))
            .build());
    observer.onCompleted();
  }

  @Override
  public void answer(AnswerRequest request, StreamObserver<AnswerReply> observer) {
    byte[] sealed;
    try {
      sealed =
          replica.answer(
              new SealedMessage(
                  request.getEncapsulatedKey().toByteArray(),
                  request.getSealedShare().toByteArray()));
    } catch (ProtocolException e) {
      observer.onError(status(e).asRuntimeException());
      return;
    }
    observer.onNext(AnswerReply.newBuilder().setSealedAnswer(ByteString.copyFrom(sealed)).build());
    observer.onCompleted();
  }

  private static Status status(ProtocolException e) {
    Status status =
        switch (e.code()) {
          case UNAVAILABLE -> Status.UNAVAILABLE;
          case OVERLOADED -> Status.RESOURCE_EXHAUSTED;
          default -> Status.INVALID_ARGUMENT;
        };
    return status.withDescription(e.code().code());
  }
}
