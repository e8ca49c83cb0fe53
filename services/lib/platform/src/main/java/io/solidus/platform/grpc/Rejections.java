package io.solidus.platform.grpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SubmitReply;
import java.time.Duration;

/**
 * Refusals as messages: a rule's outcome travels under status OK; a status says that the call
 * itself failed.
 */
public final class Rejections {
  private static final long LONGEST_RETRY_MILLIS = 60_000;

  private Rejections() {}

  public static Rejection toMessage(ProtocolException refusal) {
    Rejection message = toMessage(refusal.code(), refusal.detail());
    return refusal instanceof OverloadedException overloaded
        ? message.toBuilder()
            .setRetryAfterMillis(
                (int) Math.min(overloaded.retryAfter().toMillis(), LONGEST_RETRY_MILLIS))
            .build()
        : message;
  }

  public static Rejection toMessage(RejectionCode code, String detail) {
    return Rejection.newBuilder()
        .setCode(code.code())
        .setDetail(detail)
        .setRetryable(code.retryable())
        .build();
  }

  /** A code this version does not know is taken as an internal failure of the sender. */
  public static ProtocolException toException(Rejection rejection) {
    RejectionCode code = RejectionCode.of(rejection.getCode()).orElse(RejectionCode.INTERNAL);
    // unsigned on the wire: whoever asks for more than a minute is not believed
    long millis =
        Math.min(Integer.toUnsignedLong(rejection.getRetryAfterMillis()), LONGEST_RETRY_MILLIS);
    if (code == RejectionCode.OVERLOADED && millis > 0) {
      return new OverloadedException(Duration.ofMillis(millis), rejection.getDetail());
    }
    return new ProtocolException(code, rejection.getDetail());
  }

  public static SubmitReply reply(PartialSignature partial) {
    return SubmitReply.newBuilder().setSigned(Codecs.toWire(partial)).build();
  }

  public static SubmitReply reply(ProtocolException refusal) {
    return SubmitReply.newBuilder().setRejected(toMessage(refusal)).build();
  }

  /**
   * @throws ProtocolException what the other side refused with, or malformed-request for a reply
   *     without an outcome
   */
  public static PartialSignature signedOrThrow(SubmitReply reply) {
    return switch (reply.getOutcomeCase()) {
      case SIGNED -> Codecs.toDomain(reply.getSigned());
      case REJECTED -> throw toException(reply.getRejected());
      case OUTCOME_NOT_SET -> throw ProtocolException.malformed("the reply has no outcome");
    };
  }

  /**
   * A failed call as a refusal: overloaded and unavailable are retryable, everything else is not.
   */
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

  /** The status of a refusal that reached the edge of a call without becoming a message. */
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
