package io.solidus.platform.bank;

import io.solidus.platform.problem.RefusedException;

/** A request that names no bank or a wrong one, or is not for the staff of a bank. */
public final class BankRefusedException extends RefusedException {
  private static final long serialVersionUID = 1L;

  /** The reason of a refusal. */
  public enum Kind {
    /** The platform has several banks, and the request names none. */
    BANK_NEEDED("bank-needed", 400),
    /** The request names a bank that the platform does not have. */
    UNKNOWN_BANK("unknown-bank", 400),
    /** The token's bank is none of the platform's. */
    UNKNOWN_STAFF("unknown-staff-bank", 403),
    /** Only staff of the centre may call this. */
    CENTRAL_STAFF_ONLY("central-staff-only", 403);

    private final String code;
    private final int status;

    Kind(String code, int status) {
      this.code = code;
      this.status = status;
    }

    /** The stable code of the API, in kebab case. */
    public String code() {
      return code;
    }

    /** Of the HTTP answer. */
    public int status() {
      return status;
    }
  }

  private final Kind kind;

  BankRefusedException(Kind kind, String detail) {
    super(detail);
    this.kind = kind;
  }

  @Override
  public int status() {
    return kind.status();
  }

  @Override
  public String code() {
    return kind.code();
  }
}
