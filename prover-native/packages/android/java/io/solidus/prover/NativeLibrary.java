package io.solidus.prover;

/**
 * The bridge of the native library on Android: an operation's number and bytes in, bytes out. A reply begins with the two bytes
 * of a code, 0 for success.
 */
public final class NativeLibrary {
  static {
    System.loadLibrary("solidus");
  }

  private NativeLibrary() {}

  /** Serves one call. It may take seconds (PROVE), so call it off the main thread. */
  public static native byte[] invoke(int operation, byte[] request);
}
