package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The random values of one thread, from a seed. Secrets are replayed too, which is safe because the
 * money exists in a test only.
 */
public final class SeededRandom {

  private static final int ATTEMPTS = 200;

  private final Random random;

  public SeededRandom(long seed, String purpose) {
    this.random = new Random(seed * 31 + purpose.hashCode());
  }

  FieldElement field() {
    return FieldElement.of(
        new BigInteger(FieldElement.MODULUS.bitLength() + 64, random).mod(FieldElement.MODULUS));
  }

  Scalar scalar() {
    byte[] bytes = bytes(Scalar.BYTES);
    bytes[0] &= 0x0f;
    return new Scalar(bytes);
  }

  byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** 0 to {@code bound - 1}. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** Both ends included. */
  public long between(long low, long high) {
    return random.nextLong(low, high + 1);
  }

  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  public <T> T of(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  public void shuffle(List<?> list) {
    Collections.shuffle(list, random);
  }

  /**
   * Repeats an attempt that fails because a message has no short exponent; two attempts on average.
   */
  static <T> T admissible(Supplier<T> attempt) {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        return attempt.get();
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
    throw new IllegalStateException("no attempt succeeded");
  }
}
