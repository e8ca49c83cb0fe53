package io.solidus.wallet.store;

/**
 * Cost of Argon2id (RFC 9106). The values are bounded, because they are read from a file before its
 * content is authenticated.
 *
 * @param memoryKib memory in KiB, at least 8 per lane, at most 1 GiB
 * @param passes 1 to 64
 * @param lanes 1 to 16
 */
public record PassphraseCost(int memoryKib, int passes, int lanes) {
  /**
   * The second recommended option of RFC 9106 (64 MiB, 3 passes), with one lane instead of four.
   */
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
