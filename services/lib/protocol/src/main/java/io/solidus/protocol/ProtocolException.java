package io.solidus.protocol;

import java.util.Objects;

/**
 * A request violates a protocol rule. The detail is a text for people and never contains a value of
 * the request.
 */
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

  /** Makes an exception with {@link RejectionCode#MALFORMED_REQUEST}. */
  public static ProtocolException malformed(String detail) {
    return new ProtocolException(RejectionCode.MALFORMED_REQUEST, detail);
  }
}
