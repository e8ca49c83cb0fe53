package io.solidus.platform.problem;

import java.io.IOException;

/** A request's body is longer than the limit of this service. */
public final class BodyTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long limitBytes;

  public BodyTooLargeException(long limitBytes) {
    super("body too large");
    this.limitBytes = limitBytes;
  }

  public String detail() {
    return "a body has at most " + limitBytes + " bytes here";
  }
}
