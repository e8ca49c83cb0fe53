package io.solidus.authority.common;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.CheckReply;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SubmitReply;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Turns outcomes into replies and back. A rule's no is a message; a database or a neighbour that is
 * away is the retryable rejection `unavailable`, because the caller's next step is the same; a
 * defect is a status without a word about the inside.
 */
public final class GrpcReplies {

  private static final Logger log = LoggerFactory.getLogger(GrpcReplies.class);

  private GrpcReplies() {}

  public static <A> void answer(
      StreamObserver<A> observer, Supplier<A> work, Function<Rejection, A> rejected) {
    A reply;
    try {
      reply = work.get();
    } catch (RuntimeException e) {
      Optional<ProtocolException> refusal = refusal(e);
      if (refusal.isEmpty()) {
        log.error("unforeseen failure", withoutMessages(e));
        observer.onError(Status.INTERNAL.asRuntimeException());
        return;
      }
      reply = rejected.apply(Rejections.toMessage(refusal.get()));
    }
    observer.onNext(reply);
    observer.onCompleted();
  }

  /** For replies without room for a rejection: what is wrong becomes a status. */
  public static <A> void answerOrStatus(StreamObserver<A> observer, Supplier<A> work) {
    A reply;
    try {
      reply = work.get();
    } catch (RuntimeException e) {
      Optional<ProtocolException> refusal = refusal(e);
      if (refusal.isEmpty()) {
        log.error("unforeseen failure", withoutMessages(e));
      }
      observer.onError(
          refusal.map(GrpcReplies::status).orElse(Status.INTERNAL).asRuntimeException());
      return;
    }
    observer.onNext(reply);
    observer.onCompleted();
  }

  /** What a failure means to the caller; empty for a defect. */
  public static Optional<ProtocolException> refusal(RuntimeException e) {
    return switch (e) {
      case ProtocolException refusal -> Optional.of(refusal);
      case DataAccessException database -> Optional.of(databaseAway(database));
      case TransactionException database -> Optional.of(databaseAway(database));
      case StatusRuntimeException call -> {
        log.warn(
            "another process of this authority did not serve a request: {}",
            call.getStatus().getCode());
        yield Optional.of(unavailable("a part of this validator is not available"));
      }
      default -> Optional.empty();
    };
  }

  private static ProtocolException databaseAway(RuntimeException e) {
    log.warn("the database did not serve a request: {}", e.getClass().getSimpleName());
    return unavailable("the database is not available");
  }

  private static Status status(ProtocolException refusal) {
    Status status =
        switch (refusal.code()) {
          case UNAVAILABLE, HEARTBEAT_STALE -> Status.UNAVAILABLE;
          case OVERLOADED -> Status.RESOURCE_EXHAUSTED;
          case SHARD_MOVED -> Status.FAILED_PRECONDITION;
          default -> Status.INVALID_ARGUMENT;
        };
    return status.withDescription(refusal.code().code());
  }

  public static SubmitReply rejectedSubmit(Rejection rejection) {
    return SubmitReply.newBuilder().setRejected(rejection).build();
  }

  public static CheckReply rejectedCheck(Rejection rejection) {
    return CheckReply.newBuilder().setRejected(rejection).build();
  }

  /**
   * @throws ProtocolException with the sender's code when it was rejected
   */
  public static PartialSignature signed(SubmitReply reply) {
    return switch (reply.getOutcomeCase()) {
      case SIGNED -> reply.getSigned();
      case REJECTED -> throw Rejections.toException(reply.getRejected());
      case OUTCOME_NOT_SET -> throw empty();
    };
  }

  public static void requireChecked(CheckReply reply) {
    switch (reply.getOutcomeCase()) {
      case CHECKED -> {}
      case REJECTED -> throw Rejections.toException(reply.getRejected());
      case OUTCOME_NOT_SET -> throw empty();
    }
  }

  public static ProtocolException unavailable(String detail) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, detail);
  }

  private static ProtocolException empty() {
    return new ProtocolException(RejectionCode.INTERNAL, "a reply without an outcome");
  }

  /**
   * Messages of foreign exceptions may quote values of a request; the place in the code is enough.
   */
  private static Throwable withoutMessages(RuntimeException e) {
    IllegalStateException bare = new IllegalStateException(e.getClass().getName());
    bare.setStackTrace(e.getStackTrace());
    return bare;
  }
}
