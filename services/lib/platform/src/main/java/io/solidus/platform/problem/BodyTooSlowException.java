package io.solidus.platform.problem;

import java.io.IOException;
import java.time.Duration;

/** A request's body was not complete by the deadline of this service. */
final class BodyTooSlowException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Duration deadline;

  BodyTooSlowException(Duration deadline) {
    super("body too slow");
    this.deadline = deadline;
  }

  /** A thousand of them may be thrown in a second, and nobody reads where. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }

  String detail() {
    return "a body has to be complete within " + deadline.toMillis() + " ms here";
  }
}
