package io.solidus.prover;

import java.util.Objects;

/** The native library refused or failed. The message is for people and never contains a secret. */
public final class NativeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final NativeErrorCode code;

  public NativeException(NativeErrorCode code, String detail) {
    super(text(code, detail));
    this.code = Objects.requireNonNull(code);
  }

  public NativeException(NativeErrorCode code, String detail, Throwable cause) {
    super(text(code, detail), cause);
    this.code = Objects.requireNonNull(code);
  }

  private NativeException(NativeException cause) {
    super(cause.getMessage(), cause);
    this.code = cause.code;
  }

  /** Returns the same failure with the stack of the current thread. */
  static NativeException seenFromHere(NativeException cause) {
    return new NativeException(cause);
  }

  public NativeErrorCode code() {
    return code;
  }

  private static String text(NativeErrorCode code, String detail) {
    return detail.isEmpty() ? code + ": " + code.meaning() : code + ": " + detail;
  }
}
