package io.solidus.platform.tls;

/** A renewal that cannot be used. The message says why and holds nothing of a key. */
final class RenewalRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  RenewalRefusedException(String reason) {
    super(reason);
  }
}
