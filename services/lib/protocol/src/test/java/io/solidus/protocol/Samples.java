package io.solidus.protocol;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes well-formed values of a seed. */
final class Samples {
  static final NetworkId NETWORK = new NetworkId("solidus-test");
  private final Random random;

  Samples(long seed) {
    random = new Random(seed);
  }

  byte[] bytes(int length) {
    byte[] out = new byte[length];
    random.nextBytes(out);
    return out;
  }

  FieldElement field() {
    return FieldElement.of(new BigInteger(512, random).mod(FieldElement.MODULUS));
  }

  KeyPoint key() {
    byte[] out = new byte[KeyPoint.BYTES];
    System.arraycopy(field().bytes(), 0, out, 0, FieldElement.BYTES);
    System.arraycopy(field().bytes(), 0, out, FieldElement.BYTES, FieldElement.BYTES);
    return new KeyPoint(out);
  }

  G1Point g1() {
    byte[] out = new byte[G1Point.BYTES];
    System.arraycopy(coordinate(), 0, out, 0, G1Point.BYTES / 2);
    System.arraycopy(coordinate(), 0, out, G1Point.BYTES / 2, G1Point.BYTES / 2);
    return new G1Point(out);
  }

  private byte[] coordinate() {
    return Bytes.leftPadded(new BigInteger(512, random).mod(G1Point.MODULUS), G1Point.BYTES / 2);
  }

  Attachments attachments() {
    return Attachments.withoutPayout(bytes(Attachments.MEMO_BYTES), random);
  }

  G2Point g2() {
    byte[] out = new byte[G2Point.BYTES];
    System.arraycopy(g1().bytes(), 0, out, 0, G1Point.BYTES);
    System.arraycopy(g1().bytes(), 0, out, G1Point.BYTES, G1Point.BYTES);
    return new G2Point(out);
  }

  SerialNumber serial() {
    return new SerialNumber(field());
  }

  BlindedCoin coin() {
    return new BlindedCoin(field(), g1());
  }

  TransferStatement transfer() {
    return new TransferStatement(
        Family.TRANSFER,
        List.of(serial(), serial(), serial()),
        List.of(coin(), coin()),
        new Period(202601),
        Amount.of(20),
        new Digest32(bytes(32)));
  }

  Evidence evidence(int shows) {
    List<ShownSignature> shown = new ArrayList<>();
    for (int i = 0; i < shows; i++) {
      shown.add(new ShownSignature(g1(), g1(), g1()));
    }
    Family family = shows == 3 ? Family.TRANSFER : Family.TRANSFER_UNREGULATED;
    return new Evidence(
        3, 4, 1, key(), shown, bytes(family.proofBytes()), bytes(ProofBytes.RK_SIGNATURE));
  }

  PartialSignature partial(int authority) {
    return new PartialSignature(authority, 0, List.of(g1(), g1()), new Vote(bytes(Vote.BYTES)));
  }

  Committee committee(int f) {
    List<CommitteeMember> members = new ArrayList<>();
    for (int i = 1; i <= 3 * f + 1; i++) {
      members.add(new CommitteeMember(i, g2(), g2(), g1(), bytes(32)));
    }
    return new Committee(NETWORK, 0, f, g2(), g2(), g1(), members);
  }
}
