package io.solidus.operator.sanctions.approval;

/** A proposal cannot be recorded or decided as asked, for a reason with a code of its own. */
public final class ProposalRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String detail;

  /**
   * A refusal.
   *
   * @param status HTTP status of the answer
   * @param code in kebab case; part of the API
   * @param detail a sentence for the caller
   */
  public ProposalRefusedException(int status, String code, String detail) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }

  static ProposalRefusedException alreadyDecided(String detail) {
    return new ProposalRefusedException(409, "already-decided", detail);
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  String detail() {
    return detail;
  }
}
