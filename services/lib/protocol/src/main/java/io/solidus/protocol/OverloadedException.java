package io.solidus.protocol;

import java.time.Duration;

/** Too many requests at once. Nothing was done for this one. */
public final class OverloadedException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * @param retryAfter how long the caller should wait before it tries again; positive
   */
  public OverloadedException(Duration retryAfter, String detail) {
    super(RejectionCode.OVERLOADED, detail);
    this.retryAfter = retryAfter;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
