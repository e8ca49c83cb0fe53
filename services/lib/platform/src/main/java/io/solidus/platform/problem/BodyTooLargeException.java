package io.solidus.platform.problem;

import java.io.IOException;

/** The body of a request is longer than this service takes. */
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
