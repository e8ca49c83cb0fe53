package io.solidus.dev.testkit;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.Vote;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Random well-formed values from a seed; equal seeds give equal values. Points have canonical
 * coordinates but are not on the curve.
 */
public final class Generators {
  private final Random random;

  public Generators(long seed) {
    this.random = new Random(seed);
  }

  public byte[] bytes(int length) {
    byte[] out = new byte[length];
    random.nextBytes(out);
    return out;
  }

  public FieldElement fieldElement() {
    return FieldElement.of(below(FieldElement.MODULUS));
  }

  /** A scalar other than zero. */
  public Scalar scalar() {
    return Scalar.of(fixed(below(Scalar.ORDER.subtract(BigInteger.ONE)).add(BigInteger.ONE), 32));
  }

  /** A key scalar other than zero. */
  public KeyScalar keyScalar() {
    return KeyScalar.of(
        fixed(below(KeyScalar.ORDER.subtract(BigInteger.ONE)).add(BigInteger.ONE), 32));
  }

  private BigInteger below(BigInteger bound) {
    return new BigInteger(bound.bitLength() + 64, random).mod(bound);
  }

  private static byte[] fixed(BigInteger value, int length) {
    byte[] raw = value.toByteArray();
    byte[] out = new byte[length];
    int used = Math.min(raw.length, length);
    System.arraycopy(raw, raw.length - used, out, length - used, used);
    return out;
  }

  public Digest32 digest() {
    return Digest32.of(bytes(Digest32.BYTES));
  }

  public G1Point point() {
    byte[] out = new byte[G1Point.BYTES];
    System.arraycopy(fixed(below(G1Point.MODULUS), 48), 0, out, 0, 48);
    System.arraycopy(fixed(below(G1Point.MODULUS), 48), 0, out, 48, 48);
    return G1Point.of(out);
  }

  public KeyPoint keyPoint() {
    byte[] out = new byte[KeyPoint.BYTES];
    System.arraycopy(fieldElement().bytes(), 0, out, 0, FieldElement.BYTES);
    System.arraycopy(fieldElement().bytes(), 0, out, FieldElement.BYTES, FieldElement.BYTES);
    return KeyPoint.of(out);
  }

  /** Attachments of a transfer without a payout, with a random memo block. */
  public Attachments attachments() {
    return attachments(Family.TRANSFER);
  }

  /** As {@link #attachments()}, of the length of a family's. */
  public Attachments attachments(Family family) {
    return Attachments.withoutPayout(bytes(family.memoBytes()), random);
  }

  public SerialNumber serial() {
    return new SerialNumber(fieldElement());
  }

  public Apk apk() {
    return new Apk(fieldElement());
  }

  public BlindedCoin blindedCoin() {
    return new BlindedCoin(fieldElement(), point());
  }

  public Amount amount() {
    return Amount.of(random.nextLong(1_000_000_00L));
  }

  public ShownSignature shownSignature() {
    return new ShownSignature(point(), point(), point());
  }

  public PartialSignature partial(int authority, int points) {
    return new PartialSignature(
        authority, 0, list(points, this::point), new Vote(bytes(Vote.BYTES)));
  }

  /** A transfer whose context matches its attachments. */
  public TransferRequest transferRequest(NetworkId network, Family family) {
    Attachments attachments = attachments(family);
    TransferStatement statement =
        new TransferStatement(
            family,
            list(family.serials(), this::serial),
            list(family.outputs(), this::blindedCoin),
            new Period(202601),
            Amount.ZERO,
            attachments.context(network));
    return new TransferRequest(statement, evidence(family), attachments, List.of());
  }

  public Evidence evidence(Family family) {
    return new Evidence(
        1,
        1,
        1,
        keyPoint(),
        list(family.serials(), this::shownSignature),
        bytes(family.proofBytes()),
        bytes(ProofBytes.RK_SIGNATURE));
  }

  public RegisterRequest registerRequest() {
    return new RegisterRequest(
        new RegisterStatement(apk(), blindedCoin()),
        1,
        keyPoint(),
        bytes(Family.REGISTER.proofBytes()),
        bytes(ProofBytes.RK_SIGNATURE));
  }

  /** A mint with random approvals of "first" and "second". */
  public MintRequest mintRequest() {
    return new MintRequest(
        new MintStatement(new MintId(digest()), amount(), blindedCoin()),
        1,
        bytes(Family.MINT.proofBytes()),
        List.of(approval("first"), approval("second")));
  }

  private MintApproval approval(String name) {
    return new MintApproval(name, bytes(MintApproval.SIGNATURE_BYTES));
  }

  private static <T> List<T> list(int size, Supplier<T> one) {
    return Stream.generate(one).limit(size).toList();
  }
}
