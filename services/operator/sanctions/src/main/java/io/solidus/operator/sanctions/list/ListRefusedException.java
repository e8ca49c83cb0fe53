package io.solidus.operator.sanctions.list;

import io.solidus.protocol.RejectionCode;
import org.jspecify.annotations.Nullable;

/** The whole file is refused; nothing of it was kept. The message names no content of the file. */
public final class ListRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why; the kebab-case code is part of the API. */
  public enum Reason {
    /** Not a file of this list's format. */
    NOT_THIS_FORMAT("list-format-invalid", RejectionCode.MALFORMED_REQUEST),
    /** Of the format, but with more malformed entries than a publisher's file ever has. */
    TOO_MANY_MALFORMED("list-too-many-malformed", RejectionCode.MALFORMED_REQUEST),
    /** More bytes or entries than are accepted. */
    TOO_LARGE("body-too-large", RejectionCode.BODY_TOO_LARGE),
    /** Less than half as long as the version before: most likely a truncated download. */
    SHRUNK("list-shrunk", RejectionCode.MALFORMED_REQUEST);

    private final String code;
    private final RejectionCode rejection;

    Reason(String code, RejectionCode rejection) {
      this.code = code;
      this.rejection = rejection;
    }

    public String code() {
      return code;
    }

    public RejectionCode rejection() {
      return rejection;
    }
  }

  private final Reason reason;

  public ListRefusedException(Reason reason, String message) {
    this(reason, message, null);
  }

  public ListRefusedException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
