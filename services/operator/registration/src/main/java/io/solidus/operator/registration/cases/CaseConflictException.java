package io.solidus.operator.registration.cases;

/** The case's state does not allow this decision. */
public final class CaseConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason of a conflict. */
  public enum Kind {
    /** The opposite decision was made, which is final. */
    DECIDED_OTHERWISE("decision-conflict", false, "the case already has the opposite decision"),
    /** There is no recent screening. The worker makes one without a further call. */
    NOT_SCREENED("screening-pending", true, "the case waits for its screening");

    private final String code;
    private final boolean retryable;
    private final String detail;

    Kind(String code, boolean retryable, String detail) {
      this.code = code;
      this.retryable = retryable;
      this.detail = detail;
    }

    /** The stable code of the API, in kebab case. */
    public String code() {
      return code;
    }

    public boolean retryable() {
      return retryable;
    }

    public String detail() {
      return detail;
    }
  }

  private final Kind kind;

  CaseConflictException(Kind kind) {
    super(kind.detail());
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
