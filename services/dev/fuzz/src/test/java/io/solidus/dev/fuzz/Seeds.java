package io.solidus.dev.fuzz;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.Vote;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Well-formed values without valid cryptography, as starting points for fuzzers. */
public final class Seeds {
  public static final NetworkId NETWORK = new NetworkId("solidus-fuzz");

  private Seeds() {}

  public static FieldElement field(long value) {
    return FieldElement.ofLong(value);
  }

  /** A pair of coordinates that is not on the curve. */
  public static G1Point point(int seed) {
    byte[] bytes = new byte[G1Point.BYTES];
    bytes[47] = (byte) (seed + 1);
    bytes[95] = (byte) (seed + 2);
    return new G1Point(bytes);
  }

  /** A pair of coordinates that is not on Jubjub. */
  public static KeyPoint key(int seed) {
    byte[] bytes = new byte[KeyPoint.BYTES];
    bytes[31] = (byte) (seed + 1);
    bytes[63] = (byte) (seed + 2);
    return new KeyPoint(bytes);
  }

  public static Signature signature(int seed) {
    return new Signature(point(seed), point(seed + 1));
  }

  public static Digest32 digest(int seed) {
    return Digest32.sha256(new byte[] {(byte) seed});
  }

  public static Address address() {
    return new Address(new Apk(field(7)), new EncryptionKey(field(9).bytes()));
  }

  public static BlindedCoin coin(int seed) {
    return new BlindedCoin(field(seed), point(seed));
  }

  public static TransferRequest transfer(Family family) {
    List<SerialNumber> serials =
        Stream.iterate(1L, i -> i + 1)
            .limit(family.serials())
            .map(i -> new SerialNumber(field(i)))
            .toList();
    Attachments attachments =
        Attachments.withoutPayout(new byte[family.memoBytes()], new Random(1));
    TransferStatement statement =
        new TransferStatement(
            family,
            serials,
            IntStream.rangeClosed(1, family.outputs()).mapToObj(Seeds::coin).toList(),
            new Period(202611),
            new Amount(40),
            attachments.context(NETWORK));
    List<ShownSignature> shows =
        serials.stream().map(serial -> new ShownSignature(point(1), point(2), point(3))).toList();
    Evidence evidence =
        new Evidence(
            7,
            8,
            1,
            key(4),
            shows,
            new byte[family.proofBytes()],
            new byte[ProofBytes.RK_SIGNATURE]);
    return new TransferRequest(
        statement, evidence, attachments, List.of(partial(2, family.outputs())));
  }

  /** A recover over a transfer and a recover over it. */
  public static RecoverRequest recover() {
    TransferRequest transfer = transfer(Family.TRANSFER);
    RecoverEvidence evidence =
        new RecoverEvidence(
            1, key(4), new byte[Family.RECOVER.proofBytes()], new byte[ProofBytes.RK_SIGNATURE]);
    SerialNumber next = new SerialNumber(field(21));
    RecoverStatement inner =
        new RecoverStatement(
            0,
            0,
            List.of(next, next),
            List.of(FieldElement.ZERO, FieldElement.ZERO),
            1,
            List.of(coin(5), coin(6)),
            digest(7));
    RecoverStatement outer =
        new RecoverStatement(
            1,
            1,
            List.of(new SerialNumber(field(22)), new SerialNumber(field(22))),
            List.of(field(23), field(23)),
            0,
            List.of(coin(7), coin(8)),
            transfer.attachments().context(NETWORK));
    return new RecoverRequest(
        List.of(
            new TransferBelow(transfer.statement(), transfer.evidence()),
            new RecoverBelow(inner, evidence)),
        outer,
        evidence,
        transfer.attachments());
  }

  public static PartialSignature partial(int authority) {
    return partial(authority, 2);
  }

  private static PartialSignature partial(int authority, int outputs) {
    return new PartialSignature(
        authority,
        3,
        IntStream.range(5, 5 + outputs).mapToObj(Seeds::point).toList(),
        new Vote(new byte[Vote.BYTES]));
  }

  public static RegisterRequest register() {
    return new RegisterRequest(
        new RegisterStatement(address().apk(), coin(3)),
        1,
        key(4),
        new byte[Family.REGISTER.proofBytes()],
        new byte[ProofBytes.RK_SIGNATURE]);
  }

  public static MintRequest mint() {
    return new MintRequest(
        new MintStatement(new MintId(digest(2)), new Amount(500), coin(4)),
        1,
        new byte[Family.MINT.proofBytes()],
        List.of(new MintApproval("ann", new byte[64]), new MintApproval("bob", new byte[64])));
  }
}
