package io.solidus.authority.complianceissuer.intake;

/** A record cannot be taken in at the moment; the listener's error handling brings it again. */
final class NotYetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotYetException(String code) {
    super(code);
  }
}
