package io.solidus.authority.signer.log;

/**
 * The sign-log, the database or the anchor file contradict each other; only a person can decide
 * what to do.
 */
public final class LogDamagedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public LogDamagedException(String message) {
    super(message);
  }
}
