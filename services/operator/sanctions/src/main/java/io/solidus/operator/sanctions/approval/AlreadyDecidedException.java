package io.solidus.operator.sanctions.approval;

/** The proposal is decided or expired. */
final class AlreadyDecidedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String detail;

  AlreadyDecidedException(String detail) {
    super(detail);
    this.detail = detail;
  }

  String detail() {
    return detail;
  }
}
