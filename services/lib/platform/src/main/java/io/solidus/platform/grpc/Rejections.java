package io.solidus.platform.grpc;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.protocol.Answer;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialHeldException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.StoredRequest;
import io.solidus.wire.v1.SubmitReply;
import java.time.Duration;

/**
 * Converts refusals to and from messages. A refusal by a rule is a reply with status OK. Another
 * status means that the call itself failed.
 */
public final class Rejections {
  private static final long LONGEST_RETRY_MILLIS = 60_000;

  private Rejections() {}

  public static Rejection toMessage(ProtocolException refusal) {
    Rejection message = toMessage(refusal.code(), refusal.detail());
    return switch (refusal) {
      case OverloadedException overloaded ->
          message.toBuilder()
              .setRetryAfterMillis(
                  (int) Math.min(overloaded.retryAfter().toMillis(), LONGEST_RETRY_MILLIS))
              .build();
      case SerialHeldException held ->
          message.toBuilder()
              .setHeldSerial(ByteString.copyFrom(held.serial().bytes()))
              .setHolder(
                  StoredRequest.newBuilder().setCore(ByteString.copyFrom(held.holder().bytes())))
              .build();
      default -> message;
    };
  }

  public static Rejection toMessage(RejectionCode code, String detail) {
    return Rejection.newBuilder()
        .setCode(code.code())
        .setDetail(detail)
        .setRetryable(code.retryable())
        .build();
  }

  /**
   * Reads a refusal. A code that this version does not know is an internal failure of the sender.
   */
  public static ProtocolException toException(Rejection rejection) {
    RejectionCode code = RejectionCode.of(rejection.getCode()).orElse(RejectionCode.INTERNAL);
    // unsigned on the wire; limited, so that no server can delay its callers for longer
    long millis =
        Math.min(Integer.toUnsignedLong(rejection.getRetryAfterMillis()), LONGEST_RETRY_MILLIS);
    if (code == RejectionCode.OVERLOADED && millis > 0) {
      return new OverloadedException(Duration.ofMillis(millis), rejection.getDetail());
    }
    if (code == RejectionCode.SERIAL_CONFLICT && !rejection.getHeldSerial().isEmpty()) {
      return held(rejection);
    }
    return new ProtocolException(code, rejection.getDetail());
  }

  /** A refusal whose sender did not say in a readable form what is held is one that does not. */
  private static ProtocolException held(Rejection rejection) {
    try {
      return new SerialHeldException(
          SerialNumber.of(rejection.getHeldSerial().toByteArray()),
          TxCore.of(rejection.getHolder().getCore().toByteArray()));
    } catch (ProtocolException unreadable) {
      return new ProtocolException(RejectionCode.SERIAL_CONFLICT, rejection.getDetail());
    }
  }

  public static SubmitReply reply(Answer answer) {
    return SubmitReply.newBuilder().setSigned(Codecs.toWire(answer)).build();
  }

  public static SubmitReply reply(ProtocolException refusal) {
    return SubmitReply.newBuilder().setRejected(toMessage(refusal)).build();
  }

  /**
   * Returns the answer of a reply.
   *
   * @throws ProtocolException the refusal of the reply, or malformed-request when it has no outcome
   */
  public static Answer signedOrThrow(SubmitReply reply) {
    return switch (reply.getOutcomeCase()) {
      case SIGNED -> Codecs.toAnswer(reply.getSigned());
      case REJECTED -> throw toException(reply.getRejected());
      case OUTCOME_NOT_SET -> throw ProtocolException.malformed("the reply has no outcome");
    };
  }

  /** Converts a failed call to a refusal. Only overloaded and unavailable are retryable. */
  public static ProtocolException toException(StatusRuntimeException failure) {
    Status.Code status = failure.getStatus().getCode();
    RejectionCode code =
        switch (status) {
          case RESOURCE_EXHAUSTED -> RejectionCode.OVERLOADED;
          case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED -> RejectionCode.UNAVAILABLE;
          case INVALID_ARGUMENT -> RejectionCode.MALFORMED_REQUEST;
          default -> RejectionCode.INTERNAL;
        };
    return new ProtocolException(code, "the called service answered " + status, failure);
  }

  /** Returns the status of a refusal that is not sent as a message. */
  static Status toStatus(RejectionCode code) {
    return switch (code.http()) {
      case 400, 413, 422 -> Status.INVALID_ARGUMENT;
      case 401 -> Status.UNAUTHENTICATED;
      case 403, 451 -> Status.PERMISSION_DENIED;
      case 404 -> Status.NOT_FOUND;
      case 409, 421 -> Status.FAILED_PRECONDITION;
      case 429 -> Status.RESOURCE_EXHAUSTED;
      case 503 -> Status.UNAVAILABLE;
      default -> Status.INTERNAL;
    };
  }
}
