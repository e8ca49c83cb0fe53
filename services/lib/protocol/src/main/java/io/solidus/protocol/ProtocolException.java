package io.solidus.protocol;

import java.util.Objects;

/** A protocol rule said no. The detail is for people and never holds a value of the request. */
public class ProtocolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RejectionCode code;
  private final String detail;

  public ProtocolException(RejectionCode code, String detail) {
    super(code.code() + ": " + detail);
    this.code = code;
    this.detail = Objects.requireNonNull(detail);
  }

  public ProtocolException(RejectionCode code, String detail, Throwable cause) {
    super(code.code() + ": " + detail, cause);
    this.code = code;
    this.detail = Objects.requireNonNull(detail);
  }

  public RejectionCode code() {
    return code;
  }

  public String detail() {
    return detail;
  }

  /** A {@link RejectionCode#MALFORMED_REQUEST}. */
  public static ProtocolException malformed(String detail) {
    return new ProtocolException(RejectionCode.MALFORMED_REQUEST, detail);
  }
}
