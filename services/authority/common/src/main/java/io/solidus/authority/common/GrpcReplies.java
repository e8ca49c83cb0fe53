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
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.TransactionException;

/**
 * Converts outcomes to gRPC replies and back. A broken rule is a reply message. An unavailable
 * database or process becomes the retryable rejection `unavailable`, because the caller has to
 * retry either way. A defect, such as a statement that the database will always refuse, becomes a
 * status without internal details.
 */
public final class GrpcReplies {

  private static final Logger log = LoggerFactory.getLogger(GrpcReplies.class);

  /**
   * Classes of SQLSTATE that Spring has no exception for: no connection, read-only after a
   * failover, no resources, a lock that was not free, an operator's intervention, input and output.
   */
  private static final Set<String> OUTAGES = Set.of("08", "25", "53", "55", "57", "58");

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
      case DataAccessException database when isOutage(database) ->
          Optional.of(databaseUnavailable(database));
      case TransactionException database -> Optional.of(databaseUnavailable(database));
      case StatusRuntimeException call -> {
        log.warn(
            "another process of this authority did not serve a request: {}",
            call.getStatus().getCode());
        yield Optional.of(unavailable("a part of this validator is not available"));
      }
      default -> Optional.empty();
    };
  }

  /**
   * Whether the same statement may succeed later. A violated constraint, a trigger that refuses or
   * a wrong statement is a defect: whoever retries it retries for ever.
   */
  private static boolean isOutage(DataAccessException e) {
    return switch (e) {
      case TransientDataAccessException transientFailure -> true;
      case RecoverableDataAccessException anotherConnection -> true;
      case NonTransientDataAccessResourceException noConnection -> true;
      case UncategorizedSQLException other -> OUTAGES.contains(stateClass(other.getSQLException()));
      default -> false;
    };
  }

  private static String stateClass(@Nullable SQLException e) {
    String state = e == null ? null : e.getSQLState();
    return state == null || state.length() < 2 ? "" : state.substring(0, 2);
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
