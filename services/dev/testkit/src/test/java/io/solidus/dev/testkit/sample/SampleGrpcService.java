package io.solidus.dev.testkit.sample;

import io.grpc.stub.StreamObserver;
import io.solidus.platform.tracing.Trace;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.ReserveAllReply;
import io.solidus.wire.v1.ReserveAllRequest;
import io.solidus.wire.v1.ShardServiceGrpc;
import org.springframework.stereotype.Service;

/** Fails in the way that the shard map version selects. */
@Service
class SampleGrpcService extends ShardServiceGrpc.ShardServiceImplBase {
  static final int THROWS = 1;
  static final int HANDS_OVER = 2;
  static final int REFUSES = 3;
  static final int NEVER_ANSWERS = 4;

  @Override
  public void reserveAll(ReserveAllRequest request, StreamObserver<ReserveAllReply> reply) {
    switch ((int) request.getShardMapVersion()) {
      case THROWS -> throw new IllegalStateException("a secret");
      case HANDS_OVER -> reply.onError(new IllegalStateException("a secret"));
      case REFUSES -> throw new ProtocolException(RejectionCode.SHARD_MOVED, "ask again");
      case NEVER_ANSWERS -> {
        return;
      }
      default -> {
        Rejection trace = Rejection.newBuilder().setDetail(Trace.current().orElse("")).build();
        reply.onNext(ReserveAllReply.newBuilder().setRejected(trace).build());
        reply.onCompleted();
      }
    }
  }
}
