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

  String detail() {
    return "a body has to be complete within " + deadline.toMillis() + " ms here";
  }
}
