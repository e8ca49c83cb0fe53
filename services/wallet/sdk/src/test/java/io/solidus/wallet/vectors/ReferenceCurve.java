package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.join;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Points of G1 and G2 of BLS12-381, computed with integers alone. The identity has no value: no
 * vector comes near it.
 */
final class ReferenceCurve {
  private static final int COORDINATE = 48;
  private static final BigInteger Q =
      number(
          "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab");

  static final Point G1 =
      new Point(
          number(
              "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"),
          number(
              "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1"));

  static final Point G2 =
      new Point(
          new Value(
              number(
                  "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"),
              number(
                  "13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e")),
          new Value(
              number(
                  "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801"),
              number(
                  "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be")));

  /** One power takes 10 ms, and vectors take the same ones many times. */
  private static final Map<Power, Point> POWERS = new ConcurrentHashMap<>();

  private record Power(Point base, BigInteger exponent) {}

  private ReferenceCurve() {}

  private static BigInteger number(String hex) {
    return new BigInteger(hex, 16);
  }

  /** A0 + A1 u with u^2 = -1; coordinates of G1 have A1 = 0. */
  record Value(BigInteger a0, BigInteger a1) {
    Value {
      a0 = a0.mod(Q);
      a1 = a1.mod(Q);
    }

    Value minus(Value b) {
      return new Value(a0.subtract(b.a0), a1.subtract(b.a1));
    }

    Value times(Value b) {
      return new Value(
          a0.multiply(b.a0).subtract(a1.multiply(b.a1)), a0.multiply(b.a1).add(a1.multiply(b.a0)));
    }

    Value times(int factor) {
      return times(new Value(BigInteger.valueOf(factor), BigInteger.ZERO));
    }

    Value inverse() {
      BigInteger norm = a0.multiply(a0).add(a1.multiply(a1)).modInverse(Q);
      return new Value(a0.multiply(norm), a1.negate().multiply(norm));
    }
  }

  /** A point other than the identity. */
  record Point(Value x, Value y) {
    Point(BigInteger x, BigInteger y) {
      this(new Value(x, BigInteger.ZERO), new Value(y, BigInteger.ZERO));
    }

    /** A point of G1 from its 96 bytes. */
    static Point g1(byte[] bytes) {
      return new Point(
          new BigInteger(1, Arrays.copyOf(bytes, COORDINATE)),
          new BigInteger(1, Arrays.copyOfRange(bytes, COORDINATE, 2 * COORDINATE)));
    }

    Point plus(Point b) {
      Value slope =
          equals(b)
              ? x.times(x).times(3).times(y.times(2).inverse())
              : b.y.minus(y).times(b.x.minus(x).inverse());
      Value sum = slope.times(slope).minus(x).minus(b.x);
      return new Point(sum, slope.times(x.minus(sum)).minus(y));
    }

    /** A power of this point; the exponent is not zero modulo r. */
    Point power(BigInteger exponent) {
      return POWERS.computeIfAbsent(
          new Power(this, exponent.mod(Reference.R)), power -> computed(power.exponent));
    }

    private Point computed(BigInteger bits) {
      Point out = this;
      for (int i = bits.bitLength() - 2; i >= 0; i--) {
        out = out.plus(out);
        out = bits.testBit(i) ? out.plus(this) : out;
      }
      return out;
    }

    /** x then y; of G1 96 bytes, of G2 192 with A1 before A0. */
    byte[] bytes() {
      return isInG1()
          ? join(coordinate(x.a0), coordinate(y.a0))
          : join(coordinate(x.a1), coordinate(x.a0), coordinate(y.a1), coordinate(y.a0));
    }

    private boolean isInG1() {
      return x.a1.signum() == 0 && y.a1.signum() == 0;
    }

    private static byte[] coordinate(BigInteger value) {
      byte[] raw = value.toByteArray();
      byte[] out = new byte[COORDINATE];
      int significant = Math.min(raw.length, COORDINATE);
      System.arraycopy(raw, raw.length - significant, out, COORDINATE - significant, significant);
      return out;
    }
  }
}
