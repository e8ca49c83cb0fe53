package io.solidus.wire.ohttp;

import io.solidus.protocol.Spec;

/** The lengths that binary messages have with their padding, so that a length says little. */
@Spec("F-61")
public final class SizeClass {
  private static final int SMALLEST = 4 << 10;
  private static final int LARGEST = 4 << 20;
  private static final int FACTOR = 4;

  /** The longest encapsulated request: a body of 64 KiB and its headers. */
  public static final int MAX_REQUEST = (256 << 10) + ObliviousHttp.REQUEST_OVERHEAD;

  /** The longest encapsulated answer. */
  public static final int MAX_RESPONSE = LARGEST + ObliviousHttp.RESPONSE_OVERHEAD;

  private SizeClass() {}

  /**
   * The least of 4, 16, 64, 256, 1024 and 4096 KiB that is not less than the length.
   *
   * @throws BinaryHttpException when there is none
   */
  static int of(int length) {
    for (int size = SMALLEST; size <= LARGEST; size *= FACTOR) {
      if (length <= size) {
        return size;
      }
    }
    throw new BinaryHttpException("a binary message is longer than " + LARGEST + " bytes");
  }
}
