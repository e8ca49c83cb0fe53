package io.solidus.operator.issuance.books;

/** The state of the books or of their objects does not allow what was asked. */
public final class DeskConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;

  /**
   * Creates the refusal.
   *
   * @param code stable, kebab case
   */
  public DeskConflictException(String code, String detail) {
    super(detail);
    this.code = code;
  }

  String code() {
    return code;
  }
}
