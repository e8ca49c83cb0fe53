package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EncodingsTest {
  private final Samples samples = new Samples(1);

  @Test
  void fieldElementsRoundTripAndCompareAsIntegers() {
    for (int i = 0; i < 200; i++) {
      FieldElement a = samples.field();
      FieldElement b = samples.field();
      assertThat(FieldElement.of(a.toBigInteger())).isEqualTo(a).hasSameHashCodeAs(a);
      assertThat(FieldElement.fromHex(a.hex())).isEqualTo(a);
      assertThat(Integer.signum(a.compareTo(b)))
          .isEqualTo(a.toBigInteger().compareTo(b.toBigInteger()));
    }
    assertThat(FieldElement.ofLong(258).bytes()).endsWith(1, 2).hasSize(32);
    assertThat(FieldElement.ZERO.isZero()).isTrue();
  }

  @Test
  void fieldElementsOutsideTheFieldAreRefused() {
    Rejected.malformed(() -> FieldElement.of(FieldElement.MODULUS));
    Rejected.malformed(() -> FieldElement.of(BigInteger.ONE.negate()));
    Rejected.malformed(() -> FieldElement.ofLong(-1));
    Rejected.malformed(() -> FieldElement.fromHex("zz"));
  }

  @Test
  void arraysAreCopiedInAndOut() {
    byte[] given = samples.field().bytes();
    FieldElement element = FieldElement.of(given);
    String before = element.hex();
    given[31] ^= 1;
    element.bytes()[31] ^= 1;
    assertThat(element.hex()).isEqualTo(before);
  }

  @Test
  void closingAScalarOverwritesIt() {
    byte[] bytes = new byte[32];
    bytes[31] = 7;
    Scalar scalar = Scalar.of(bytes);
    KeyScalar keyScalar = KeyScalar.of(bytes);
    assertThat(scalar).isEqualTo(Scalar.of(bytes)).hasToString("Scalar[redacted]");
    assertThat(keyScalar).isEqualTo(KeyScalar.of(bytes)).hasToString("KeyScalar[redacted]");
    assertThat((Object) scalar).isNotEqualTo(keyScalar);
    for (SecretNumber number : List.of(scalar, keyScalar)) {
      assertThat(number.bytes()).isEqualTo(bytes);
      number.close();
      assertThat(number.isZero()).isTrue();
      assertThatIllegalStateException().isThrownBy(number::bytes);
    }
  }

  @Test
  void numbersFromTheirModulusOnAreRefused() {
    byte[] r = Bytes.leftPadded(FieldElement.MODULUS, 32);
    byte[] l = Bytes.leftPadded(KeyScalar.ORDER, 32);
    Rejected.malformed(() -> FieldElement.of(r));
    Rejected.malformed(() -> Scalar.of(r));
    Rejected.malformed(() -> KeyScalar.of(l));
    Rejected.malformed(() -> KeyScalar.of(r));
    assertThat(Scalar.of(l).isZero()).isFalse();
    r[31]--;
    l[31]--;
    assertThat(FieldElement.of(r).bytes()).isEqualTo(r);
    assertThat(Scalar.of(r).bytes()).isEqualTo(r);
    assertThat(KeyScalar.of(l).bytes()).isEqualTo(l);
  }

  @Test
  void reductionIsModuloTheField() {
    byte[] wide = samples.bytes(64);
    assertThat(FieldElement.reduce(wide).toBigInteger())
        .isEqualTo(new BigInteger(1, wide).mod(FieldElement.MODULUS));
    assertThat(FieldElement.reduce(Bytes.leftPadded(FieldElement.MODULUS, 64)).isZero()).isTrue();
  }

  @Test
  void coordinatesAreBelowTheModulusOfTheirCurve() {
    byte[] q = Bytes.leftPadded(G1Point.MODULUS, 48);
    byte[] r = Bytes.leftPadded(FieldElement.MODULUS, 32);
    for (int at = 0; at < 192; at += 48) {
      byte[] point = new byte[192];
      System.arraycopy(q, 0, point, at, 48);
      byte[] half = Arrays.copyOf(point, 96);
      Rejected.malformed(() -> new G2Point(point));
      if (at < 96) {
        Rejected.malformed(() -> new G1Point(half));
      }
      point[at + 47]--;
      assertThat(new G2Point(point).bytes()).isEqualTo(point);
    }
    for (int at = 0; at < 64; at += 32) {
      byte[] point = new byte[64];
      System.arraycopy(r, 0, point, at, 32);
      Rejected.malformed(() -> new KeyPoint(point));
      point[at + 31]--;
      assertThat(new KeyPoint(point).bytes()).isEqualTo(point);
    }
  }

  @Test
  void everyOriginHasItsCode() {
    for (Origin origin : Origin.values()) {
      assertThat(Origin.of(origin.code())).isEqualTo(origin);
    }
    assertThat(Origin.PAYMENT.code()).isZero();
    Rejected.malformed(() -> Origin.of(3));
    Rejected.malformed(() -> Origin.of(-1));
  }

  @Test
  void aFamilysProofHasAResponseForEveryLinkedPoint() {
    assertThat(Family.TRANSFER.proofBytes()).isEqualTo(704);
    assertThat(Family.TRANSFER_UNREGULATED.proofBytes()).isEqualTo(672);
    assertThat(Family.CLAIM_16.proofBytes()).isEqualTo(1152);
    assertThat(Family.PAY_8.proofBytes()).isEqualTo(928);
    assertThat(Family.REGISTER.proofBytes()).isEqualTo(576);
    assertThat(Family.MINT.proofBytes()).isEqualTo(576);
  }

  @Test
  void orderAndModulusArePrimesOfTheRightSize() {
    assertThat(FieldElement.MODULUS.bitLength()).isEqualTo(255);
    assertThat(Scalar.ORDER).isEqualTo(FieldElement.MODULUS);
    assertThat(KeyScalar.ORDER.bitLength()).isEqualTo(252);
    assertThat(G1Point.MODULUS.bitLength()).isEqualTo(381);
    for (BigInteger prime : List.of(FieldElement.MODULUS, KeyScalar.ORDER, G1Point.MODULUS)) {
      assertThat(prime.isProbablePrime(50)).isTrue();
    }
  }

  @Test
  void valuesOfTwoTypesAreNeverEqual() {
    byte[] bytes = samples.bytes(32);
    assertThat(Digest32.of(bytes)).isEqualTo(new Digest32(bytes));
    assertThat((Object) Digest32.of(bytes)).isNotEqualTo(EncryptionKey.of(bytes));
    assertThat(Digest32.of(bytes).toString())
        .isEqualTo("Digest32[" + Digest32.of(bytes).hex().substring(0, 12) + "...]");
  }

  @Test
  void identityPointsAreRefusedWithTheirOwnCode() {
    Rejected.with(RejectionCode.IDENTITY_POINT, () -> new G1Point(new byte[96]));
    Rejected.with(RejectionCode.IDENTITY_POINT, () -> new G2Point(new byte[192]));
    byte[] zeroOne = new byte[64];
    zeroOne[63] = 1;
    Rejected.with(RejectionCode.IDENTITY_POINT, () -> new KeyPoint(zeroOne));
  }

  @Test
  void amountsNeitherOverflowNorGoNegative() {
    assertThat(Amount.of(2).plus(Amount.of(3))).isEqualTo(Amount.of(5));
    assertThat(Amount.of(3).minus(Amount.of(3))).isEqualTo(Amount.ZERO);
    Rejected.malformed(() -> Amount.of(-1));
    Rejected.malformed(() -> Amount.of(Long.MAX_VALUE).plus(Amount.of(1)));
    Rejected.with(RejectionCode.INSUFFICIENT_FUNDS, () -> Amount.of(2).minus(Amount.of(3)));
  }

  @Test
  void periodsAreUtcMonths() {
    assertThat(Period.at(java.time.Instant.parse("2026-01-31T23:59:59Z")))
        .isEqualTo(new Period(202601));
    assertThat(Period.at(java.time.Instant.parse("2026-02-01T00:00:00Z")))
        .isEqualTo(new Period(202602));
    Rejected.malformed(() -> new Period(-1));
  }

  @Test
  void sanctionKeyIsTheLeadingBitsOfTheAddress() {
    for (int i = 0; i < 50; i++) {
      FieldElement value = samples.field();
      BigInteger expected = value.toBigInteger().shiftRight(95);
      assertThat(new BigInteger(1, SanctionKey.of(new Apk(value)).bytes())).isEqualTo(expected);
    }
    assertThat(new BigInteger(1, SanctionKey.LAST.bytes()))
        .isEqualTo(FieldElement.MODULUS.shiftRight(95));
    assertThat(SanctionKey.LAST.isSentinel()).isTrue();
    assertThat(SanctionKey.FIRST.isSentinel()).isTrue();
  }

  @Test
  void toStringHidesSecrets() {
    Coin coin = new Coin(Origin.OWN, Amount.of(77), new Apk(samples.field()), samples.field());
    assertThat(coin.toString()).doesNotContain("77");
    assertThat(new Signature(samples.g1(), samples.g1()).toString())
        .isEqualTo("Signature[redacted]");
    byte[] memo = new byte[Attachments.MEMO_BYTES];
    Arrays.fill(memo, (byte) 'm');
    assertThat(Attachments.withoutPayout(memo, new Random(1)).toString())
        .isEqualTo("Attachments[redacted]");
  }

  @Test
  void everyRejectionCodeIsFoundByItsName() {
    for (RejectionCode code : RejectionCode.values()) {
      assertThat(code.code())
          .matches("[a-z]+(-[a-z]+)*")
          .isEqualTo(code.name().toLowerCase(Locale.ROOT).replace('_', '-'));
      assertThat(RejectionCode.of(code.code())).contains(code);
      assertThat(code.http()).isBetween(400, 503);
    }
    assertThat(RejectionCode.of("no-such-code")).isEmpty();
  }
}
