package io.solidus.operator.sanctions.approval;

/** The proposal can no longer be decided. */
final class DecidedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DecidedException(String message) {
    super(message);
  }
}
