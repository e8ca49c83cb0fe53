package io.solidus.platform.tls;

/** A renewed bundle is unusable. The message names the fault and contains nothing of a key. */
final class RenewalRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  RenewalRefusedException(String reason) {
    super(reason);
  }
}
