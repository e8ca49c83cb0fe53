package io.solidus.wire.hpke;

/**
 * A key cannot be used or a message cannot be opened. The text does not tell which part is wrong.
 */
public final class HpkeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HpkeException(String message) {
    super(message);
  }
}
