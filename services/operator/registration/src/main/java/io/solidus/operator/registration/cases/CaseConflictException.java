package io.solidus.operator.registration.cases;

/** A case stands where this decision is not possible. */
public final class CaseConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Kind {
    /** It was decided otherwise, which is final. */
    DECIDED_OTHERWISE("decision-conflict", false, "the case was decided otherwise"),
    /** There is no screening that still counts; it runs by itself. */
    NOT_SCREENED("screening-pending", true, "the case waits for its screening");

    private final String code;
    private final boolean retryable;
    private final String detail;

    Kind(String code, boolean retryable, String detail) {
      this.code = code;
      this.retryable = retryable;
      this.detail = detail;
    }

    /** Stable, kebab case. */
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
