package io.solidus.authority.common;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.solidus.platform.database.DatabaseOutages;
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
 * Converts outcomes to gRPC replies and back. A broken rule is a reply message. An unavailable
 * database or process becomes the retryable rejection `unavailable`, because the caller has to
 * retry either way. A defect, such as a statement that the database will always refuse, becomes a
 * status without internal details.
 */
public final class GrpcReplies {

  private static final Logger log = LoggerFactory.getLogger(GrpcReplies.class);

  private GrpcReplies() {}

  /** Answers with the result of the work, or with a rejection. */
  public static <A> void answer(
      StreamObserver<A> observer, Supplier<A> work, Function<Rejection, A> rejected) {
    A reply;
    try {
      reply = work.get();
    } catch (RuntimeException e) {
      Optional<ProtocolException> rejection = rejection(e);
      if (rejection.isEmpty()) {
        log.error("unforeseen failure", withoutMessages(e));
        observer.onError(Status.INTERNAL.asRuntimeException());
        return;
      }
      reply = rejected.apply(Rejections.toMessage(rejection.get()));
    }
    observer.onNext(reply);
    observer.onCompleted();
  }

  /**
   * Answers with the result of the work. For replies that cannot carry a rejection: a rejection
   * becomes a status.
   */
  public static <A> void answerOrStatus(StreamObserver<A> observer, Supplier<A> work) {
    A reply;
    try {
      reply = work.get();
    } catch (RuntimeException e) {
      Optional<ProtocolException> rejection = rejection(e);
      if (rejection.isEmpty()) {
        log.error("unforeseen failure", withoutMessages(e));
      }
      observer.onError(
          rejection.map(GrpcReplies::status).orElse(Status.INTERNAL).asRuntimeException());
      return;
    }
    observer.onNext(reply);
    observer.onCompleted();
  }

  /** The rejection that a failure means for the caller; empty for a defect. */
  public static Optional<ProtocolException> rejection(RuntimeException e) {
    return switch (e) {
      case ProtocolException rejection -> Optional.of(rejection);
      case DataAccessException database when DatabaseOutages.isOutage(database) ->
          Optional.of(databaseUnavailable(database));
      case TransactionException database when DatabaseOutages.isOutage(database) ->
          Optional.of(databaseUnavailable(database));
      case StatusRuntimeException call -> {
        log.warn(
            "another process of this authority did not serve a request: {}",
            call.getStatus().getCode());
        yield Optional.of(unavailable("a part of this validator is not available"));
      }
      default -> Optional.empty();
    };
  }

  private static ProtocolException databaseUnavailable(RuntimeException e) {
    log.warn("the database did not serve a request: {}", e.getClass().getSimpleName());
    return unavailable("the database is not available");
  }

  private static Status status(ProtocolException rejection) {
    Status status =
        switch (rejection.code()) {
          case UNAVAILABLE, HEARTBEAT_STALE -> Status.UNAVAILABLE;
          case OVERLOADED -> Status.RESOURCE_EXHAUSTED;
          case SHARD_MOVED -> Status.FAILED_PRECONDITION;
          default -> Status.INVALID_ARGUMENT;
        };
    return status.withDescription(rejection.code().code());
  }

  public static SubmitReply rejectedSubmit(Rejection rejection) {
    return SubmitReply.newBuilder().setRejected(rejection).build();
  }

  public static CheckReply rejectedCheck(Rejection rejection) {
    return CheckReply.newBuilder().setRejected(rejection).build();
  }

  /**
   * The partial signature of a reply.
   *
   * @throws ProtocolException with the code of the sender when the reply is a rejection
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
   * Removes the message, because messages of foreign exceptions may quote values of a request. The
   * stack trace is enough.
   */
  private static Throwable withoutMessages(RuntimeException e) {
    IllegalStateException bare = new IllegalStateException(e.getClass().getName());
    bare.setStackTrace(e.getStackTrace());
    return bare;
  }
}
