package io.solidus.protocol;

import java.time.Duration;

/** Too much is being asked at the moment; nothing was done for the request. */
public final class OverloadedException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * @param retryAfter when it may be worth while to ask again; positive
   */
  public OverloadedException(Duration retryAfter, String detail) {
    super(RejectionCode.OVERLOADED, detail);
    this.retryAfter = retryAfter;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
