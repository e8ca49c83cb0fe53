package io.solidus.loadtest.forge;

/**
 * The forge could not be started, was not in time, or ended. What it refuses is a {@link
 * io.solidus.prover.NativeException}.
 */
public final class ForgeException extends RuntimeException {
  public ForgeException(String message) {
    super(message);
  }

  public ForgeException(String message, Throwable cause) {
    super(message, cause);
  }
}
