package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
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
    assertThat(FieldElement.ofLong(258).bytes()).endsWith(1, 2).hasSize(48);
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
    given[47] ^= 1;
    element.bytes()[47] ^= 1;
    assertThat(element.hex()).isEqualTo(before);
  }

  @Test
  void closingAScalarOverwritesIt() {
    byte[] bytes = new byte[32];
    bytes[31] = 7;
    Scalar scalar = Scalar.of(bytes);
    assertThat(scalar.bytes()).isEqualTo(bytes);
    assertThat(scalar).isEqualTo(Scalar.of(bytes)).hasToString("Scalar[redacted]");
    scalar.close();
    assertThat(scalar.isZero()).isTrue();
    assertThatIllegalStateException().isThrownBy(scalar::bytes);
  }

  @Test
  void orderAndModulusArePrimesOfTheRightSize() {
    assertThat(FieldElement.MODULUS.bitLength()).isEqualTo(377);
    assertThat(Scalar.ORDER.bitLength()).isEqualTo(253);
    assertThat(FieldElement.MODULUS.isProbablePrime(50)).isTrue();
    assertThat(Scalar.ORDER.isProbablePrime(50)).isTrue();
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
      BigInteger expected = value.toBigInteger().shiftRight(217);
      assertThat(new BigInteger(1, SanctionKey.of(new Apk(value)).bytes())).isEqualTo(expected);
    }
    assertThat(new BigInteger(1, SanctionKey.LAST.bytes()))
        .isEqualTo(FieldElement.MODULUS.shiftRight(217));
    assertThat(SanctionKey.LAST.isSentinel()).isTrue();
    assertThat(SanctionKey.FIRST.isSentinel()).isTrue();
  }

  @Test
  void toStringHidesSecrets() {
    Coin coin = new Coin(Amount.of(77), new Apk(samples.field()), samples.field());
    assertThat(coin.toString()).doesNotContain("77");
    assertThat(new Signature(samples.g1(), samples.g1()).toString())
        .isEqualTo("Signature[redacted]");
    byte[] memo = new byte[Attachments.MEMO_BYTES];
    Arrays.fill(memo, (byte) 'm');
    assertThat(Attachments.withoutPayout(memo).toString()).isEqualTo("Attachments[redacted]");
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
