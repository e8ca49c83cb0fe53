package io.solidus.wallet.store;

/**
 * Cost of Argon2id (RFC 9106): memory in KiB, passes, lanes. Bounded, because they are read from a
 * file before anything in it is authenticated.
 */
public record PassphraseCost(int memoryKib, int passes, int lanes) {
  /** RFC 9106's second recommended choice, with one lane less work to do at once than its four. */
  public static final PassphraseCost DEFAULT = new PassphraseCost(65_536, 3, 1);

  private static final int MAX_MEMORY_KIB = 1 << 20;
  private static final int MAX_PASSES = 64;
  private static final int MAX_LANES = 16;

  public PassphraseCost {
    if (memoryKib < 8 * lanes
        || memoryKib > MAX_MEMORY_KIB
        || passes < 1
        || passes > MAX_PASSES
        || lanes < 1
        || lanes > MAX_LANES) {
      throw new IllegalArgumentException("Argon2id cost out of bounds");
    }
  }
}
