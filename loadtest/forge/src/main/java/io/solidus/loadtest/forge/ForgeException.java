package io.solidus.loadtest.forge;

/**
 * The forge could not be started, exceeded its deadline, or ended. Its refusals are {@link
 * io.solidus.prover.NativeException}s.
 */
public final class ForgeException extends RuntimeException {
  public ForgeException(String message) {
    super(message);
  }

  public ForgeException(String message, Throwable cause) {
    super(message, cause);
  }
}
