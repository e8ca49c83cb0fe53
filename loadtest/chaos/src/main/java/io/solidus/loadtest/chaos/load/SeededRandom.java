package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Scalar;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The random values of one thread, from a seed. Secrets are replayed too, which is safe because the
 * money exists in a test only.
 */
public final class SeededRandom {

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

  KeyScalar keyScalar() {
    byte[] bytes = bytes(KeyScalar.BYTES);
    bytes[0] &= 0x07;
    return new KeyScalar(bytes);
  }

  /** Attachments of a transfer without a payout, with a random memo block. */
  Attachments attachments() {
    return Attachments.withoutPayout(bytes(Attachments.MEMO_BYTES), random);
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
}
