package io.solidus.wallet.vectors;

import static io.solidus.wallet.vectors.Reference.R;
import static io.solidus.wallet.vectors.Reference.hex;

import io.solidus.wallet.vectors.ReferenceCurve.Point;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A committee with f = 1 whose secrets anybody knows, and the steps of its signatures (docs/spec,
 * page 2), written from the pages.
 */
final class ReferenceCommittee {
  static final int N = 4;
  static final int F = 1;
  static final int EPOCH = 2;

  private static final List<BigInteger> X = polynomial("x");
  private static final List<BigInteger> Y = polynomial("y");

  private ReferenceCommittee() {}

  /** The coefficients of a polynomial of degree 2f. */
  private static List<BigInteger> polynomial(String name) {
    return IntStream.rangeClosed(0, 2 * F)
        .mapToObj(i -> new BigInteger(1, WalletVectors.element("committee " + name + i)))
        .toList();
  }

  private static BigInteger at(List<BigInteger> polynomial, int i) {
    BigInteger out = BigInteger.ZERO;
    for (BigInteger coefficient : polynomial.reversed()) {
      out = out.multiply(BigInteger.valueOf(i)).add(coefficient).mod(R);
    }
    return out;
  }

  /** x_i, or x for i = 0. */
  static BigInteger x(int i) {
    return at(X, i);
  }

  static BigInteger y(int i) {
    return at(Y, i);
  }

  /** X_i = g2^{x_i}, or X for i = 0. */
  static Point publicX(int i) {
    return ReferenceCurve.G2.power(x(i));
  }

  static Point publicY(int i) {
    return ReferenceCurve.G2.power(y(i));
  }

  /** gamma_i = g1^{y_i}, or Y1 for i = 0. */
  static Point gamma(int i) {
    return ReferenceCurve.G1.power(y(i));
  }

  /** The seed of a member's note key. */
  static byte[] noteSeed(int i) {
    return WalletVectors.uniform("solidus-authority-" + i, 32);
  }

  static byte[] noteKey(int i) {
    return Reference.ed25519Key(noteSeed(i));
  }

  /** The member "committee" of a manifest. */
  static Map<String, @Nullable Object> json() {
    List<?> members = IntStream.rangeClosed(1, N).mapToObj(ReferenceCommittee::member).toList();
    return Json.object(
        "epoch",
        EPOCH,
        "f",
        F,
        "x",
        hex(publicX(0).bytes()),
        "y",
        hex(publicY(0).bytes()),
        "y1",
        hex(gamma(0).bytes()),
        "members",
        members);
  }

  private static Map<String, @Nullable Object> member(int i) {
    return Json.object(
        "index",
        i,
        "x",
        hex(publicX(i).bytes()),
        "y",
        hex(publicY(i).bytes()),
        "gamma",
        hex(gamma(i).bytes()),
        "noteKey",
        hex(noteKey(i)));
  }

  /** S-03. */
  static Point sign(int i, Point h, Point k) {
    return h.power(x(i)).plus(k.power(y(i)));
  }

  /** S-05. */
  static Point combine(Map<Integer, Point> parts) {
    return parts.entrySet().stream()
        .map(part -> part.getValue().power(lagrange(part.getKey(), parts.keySet())))
        .reduce(Point::plus)
        .orElseThrow();
  }

  private static BigInteger lagrange(int i, Iterable<Integer> all) {
    BigInteger out = BigInteger.ONE;
    for (int j : all) {
      if (j != i) {
        out = out.multiply(BigInteger.valueOf(j));
        out = out.multiply(BigInteger.valueOf(j - i).modInverse(R)).mod(R);
      }
    }
    return out;
  }

  /** s2 of S-06; s1 is the base. */
  static Point unblind(Point combined, BigInteger b) {
    return combined.plus(gamma(0).power(b.negate()));
  }

  /** What an authority signs beside its points (V-19). */
  static byte[] voteMessage(byte[] core, int epoch, List<byte[]> points) {
    return Reference.join(
        Reference.ascii("solidus/vote/v1\0"),
        core,
        Reference.u32(epoch),
        new byte[] {(byte) points.size()},
        Reference.join(points.toArray(byte[][]::new)));
  }

  /** V-19. */
  static byte[] vote(int i, byte[] core, int epoch, List<byte[]> points) {
    return Reference.ed25519(noteSeed(i), voteMessage(core, epoch, points));
  }
}
