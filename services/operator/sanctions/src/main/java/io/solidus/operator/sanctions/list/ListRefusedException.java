package io.solidus.operator.sanctions.list;

import org.jspecify.annotations.Nullable;

/** The file is refused and nothing of it is stored. The message has no content of the file. */
public final class ListRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why a file is refused. The kebab-case code is part of the API. */
  public enum Reason {
    /** The file does not have this list's format. */
    NOT_THIS_FORMAT("list-format-invalid", 400),
    /** At least half the entries of the file are malformed. */
    TOO_MANY_MALFORMED("list-too-many-malformed", 400),
    /** The file has more bytes or entries than are accepted. */
    TOO_LARGE("body-too-large", 413),
    /** The file has an {@link Objection}, and the person who imports it gave no reason. */
    NEEDS_REASON("list-needs-reason", 400),
    /** As many imports of this list wait for a decision as may wait. */
    TOO_MANY_PENDING("list-imports-pending", 409);

    private final String code;
    private final int status;

    Reason(String code, int status) {
      this.code = code;
      this.status = status;
    }

    public String code() {
      return code;
    }

    /** The HTTP status of the answer. */
    public int status() {
      return status;
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
