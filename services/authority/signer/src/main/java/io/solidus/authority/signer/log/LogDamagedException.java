package io.solidus.authority.signer.log;

/**
 * The sign-log is not what it was when its signatures left; only a person can decide what to do.
 */
public final class LogDamagedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LogDamagedException(String message) {
    super(message);
  }
}
