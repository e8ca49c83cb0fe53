package io.solidus.operator.issuance.message;

/**
 * A bank's message is refused. The text names a place in the message and never quotes its content.
 */
public final class BankMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a message is refused. */
  public enum Reason {
    /** No XML, with a document type, not of the schema, or too large. */
    INVALID("bank-message-invalid"),
    /** Valid, but its parts contradict each other. */
    INCONSISTENT("bank-message-inconsistent"),
    /** Valid, but of another account or currency, or in a form that the desk does not take. */
    UNSUPPORTED("bank-message-unsupported");

    private final String code;

    Reason(String code) {
      this.code = code;
    }

    /** The stable code in the API. */
    public String code() {
      return code;
    }
  }

  private final Reason reason;

  BankMessageException(Reason reason, String detail) {
    super(detail);
    this.reason = reason;
  }

  static BankMessageException invalid(String detail) {
    return new BankMessageException(Reason.INVALID, detail);
  }

  static BankMessageException inconsistent(String detail) {
    return new BankMessageException(Reason.INCONSISTENT, detail);
  }

  static BankMessageException unsupported(String detail) {
    return new BankMessageException(Reason.UNSUPPORTED, detail);
  }

  public Reason reason() {
    return reason;
  }
}
