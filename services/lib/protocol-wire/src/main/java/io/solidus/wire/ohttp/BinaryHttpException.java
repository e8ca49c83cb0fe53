package io.solidus.wire.ohttp;

/** Octets that are no binary message, or no encapsulated one. The text repeats none of them. */
public final class BinaryHttpException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BinaryHttpException(String message) {
    super(message);
  }
}
