package io.solidus.prover;

/** The origin of keys, which decides where they may be used. */
public enum KeyClass {
  /** Made by one party on one machine, which can forge money with them. */
  DEVELOPMENT(1),
  /** As development keys, for load tests with simulated proofs. */
  LOAD_TEST(2),
  /** Made by many parties. Production uses only this class. */
  CEREMONY(4);

  private final int mask;

  KeyClass(int mask) {
    this.mask = mask;
  }

  int mask() {
    return mask;
  }

  static KeyClass of(int mask) {
    for (KeyClass c : values()) {
      if (c.mask == mask) {
        return c;
      }
    }
    throw new NativeException(NativeErrorCode.KEYS_MANIFEST, "unknown class of keys");
  }
}
