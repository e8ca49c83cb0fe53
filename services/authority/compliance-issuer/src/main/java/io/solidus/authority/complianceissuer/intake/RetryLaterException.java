package io.solidus.authority.complianceissuer.intake;

/** A record cannot be processed now. The listener's error handling delivers it again. */
final class RetryLaterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RetryLaterException(String code) {
    super(code);
  }
}
