package io.solidus.operator.sanctions.list;

import io.solidus.protocol.RejectionCode;
import org.jspecify.annotations.Nullable;

/** The file is refused and nothing of it is stored. The message has no content of the file. */
public final class ListRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why a file is refused. The kebab-case code is part of the API. */
  public enum Reason {
    /** The file does not have this list's format. */
    NOT_THIS_FORMAT("list-format-invalid", RejectionCode.MALFORMED_REQUEST),
    /** The file has more malformed entries than a publisher's file ever has. */
    TOO_MANY_MALFORMED("list-too-many-malformed", RejectionCode.MALFORMED_REQUEST),
    /** The file has more bytes or entries than are accepted. */
    TOO_LARGE("body-too-large", RejectionCode.BODY_TOO_LARGE),
    /** The file has less than half the entries of the previous version: a truncated download. */
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
  private final String detail;

  public ListRefusedException(Reason reason, String detail) {
    this(reason, detail, null);
  }

  public ListRefusedException(Reason reason, String detail, @Nullable Throwable cause) {
    super(detail, cause);
    this.reason = reason;
    this.detail = detail;
  }

  public Reason reason() {
    return reason;
  }

  /** A sentence for the caller. */
  public String detail() {
    return detail;
  }
}
