package io.solidus.dev.testkit.world;

import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Scalar;
import java.security.SecureRandom;

/** Random values of the protocol's types, other ones in each run. */
public final class TestRandom {

  private static final Generators RANDOM = new Generators(new SecureRandom().nextLong());

  private TestRandom() {}

  public static byte[] bytes(int n) {
    return RANDOM.bytes(n);
  }

  public static FieldElement field() {
    return RANDOM.fieldElement();
  }

  /** A small scalar that is not random. */
  public static Scalar scalar(int value) {
    return Scalar.of(FieldElement.ofLong(value).bytes());
  }

  public static Scalar scalar() {
    return RANDOM.scalar();
  }

  public static KeyScalar keyScalar() {
    return RANDOM.keyScalar();
  }

  /** A blinded coin of the right form, which nothing opens. */
  public static BlindedCoin blindedCoin() {
    return RANDOM.blindedCoin();
  }

  /** Attachments of a transfer without a payout, with a random memo block. */
  public static Attachments attachments() {
    return RANDOM.attachments();
  }

  /** As {@link #attachments()}, of the length of a family's. */
  public static Attachments attachments(Family family) {
    return RANDOM.attachments(family);
  }
}
