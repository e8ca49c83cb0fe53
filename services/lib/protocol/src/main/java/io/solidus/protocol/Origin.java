package io.solidus.protocol;

/** Where a coin comes from. The code is part of the coin's message. */
public enum Origin {
  /** A payment by somebody else, and every coin of an unregulated network. */
  PAYMENT(0),
  /** A mint. */
  MINT(1),
  /** A payment by its owner. */
  OWN(2);

  private final int code;

  Origin(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /**
   * Returns the origin of a code.
   *
   * @throws ProtocolException malformed-request for an unknown code
   */
  public static Origin of(int code) {
    for (Origin origin : values()) {
      if (origin.code == code) {
        return origin;
      }
    }
    throw ProtocolException.malformed("unknown origin of a coin");
  }
}
