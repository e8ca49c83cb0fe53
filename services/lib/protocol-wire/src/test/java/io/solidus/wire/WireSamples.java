package io.solidus.wire;

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
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.protocol.Vote;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Makes well-formed requests of a seed. */
final class WireSamples {
  private final Random random;

  WireSamples(long seed) {
    random = new Random(seed);
  }

  TransferRequest transfer(Family family, int certificate) {
    TransferStatement statement =
        new TransferStatement(
            family,
            list(family.serials(), () -> new SerialNumber(field())),
            list(family.outputs(), this::coin),
            new Period(random.nextInt(1_000_000)),
            Amount.of(random.nextLong(Long.MAX_VALUE)),
            new Digest32(bytes(32)));
    Evidence evidence =
        new Evidence(
            random.nextLong(Long.MAX_VALUE),
            random.nextLong(100),
            random.nextInt(100),
            key(),
            list(family.serials(), () -> new ShownSignature(point(), point(), point())),
            bytes(family.proofBytes()),
            bytes(ProofBytes.RK_SIGNATURE));
    int[] authority = {0};
    return new TransferRequest(
        statement,
        evidence,
        attachments(family),
        list(certificate, () -> partial(++authority[0], family.outputs())));
  }

  /** A recover; every third request below it is a recover. */
  RecoverRequest recover(int below) {
    List<RequestBelow> requests = new ArrayList<>();
    for (int i = 0; i < below; i++) {
      requests.add(
          i % 3 == 2
              ? new RecoverBelow(recoverStatement(i), recoverEvidence())
              : below(transfer(i % 3 == 0 ? Family.TRANSFER : shape(i), 0)));
    }
    return new RecoverRequest(
        requests, recoverStatement(below), recoverEvidence(), attachments(Family.RECOVER));
  }

  private static Family shape(int i) {
    return i % 2 == 0 ? Family.PAY_8 : Family.CLAIM_16;
  }

  /** A recover over as many transfers as one may have. */
  RecoverRequest longestRecover() {
    return new RecoverRequest(
        list(ResolvedRecover.MAX_BELOW, () -> below(transfer(Family.TRANSFER, 0))),
        recoverStatement(ResolvedRecover.MAX_BELOW),
        recoverEvidence(),
        attachments(Family.RECOVER));
  }

  private static RequestBelow below(TransferRequest transfer) {
    return new TransferBelow(transfer.statement(), transfer.evidence());
  }

  private RecoverStatement recoverStatement(int requests) {
    return new RecoverStatement(
        random.nextInt(requests),
        random.nextInt(requests),
        list(2, () -> new SerialNumber(field())),
        list(2, this::field),
        random.nextInt(16),
        list(2, this::coin),
        new Digest32(bytes(32)));
  }

  private RecoverEvidence recoverEvidence() {
    return new RecoverEvidence(
        random.nextInt(100),
        key(),
        bytes(Family.RECOVER.proofBytes()),
        bytes(ProofBytes.RK_SIGNATURE));
  }

  private Attachments attachments(Family family) {
    return new Attachments(bytes(Attachments.PAYOUT_BYTES), bytes(family.memoBytes()));
  }

  SignedStates signedStates() {
    return new SignedStates(
        3,
        new SerialStates(
            7,
            new StateFloors(3, 14, new Period(202611)),
            List.of(
                SerialStates.State.free(new SerialNumber(field())),
                SerialStates.State.held(
                    new SerialNumber(field()),
                    TxCore.of(bytes(32)),
                    Optional.of(new Digest32(bytes(32)))),
                SerialStates.State.held(
                    new SerialNumber(field()), TxCore.of(bytes(32)), Optional.empty()))),
        new SignedStates.StateSignature(bytes(64)));
  }

  RegisterRequest register() {
    return new RegisterRequest(
        new RegisterStatement(new Apk(field()), coin()),
        1,
        key(),
        bytes(Family.REGISTER.proofBytes()),
        bytes(ProofBytes.RK_SIGNATURE));
  }

  MintRequest mint() {
    return new MintRequest(
        new MintStatement(
            new MintId(new Digest32(bytes(32))),
            Amount.of(random.nextLong(Long.MAX_VALUE)),
            coin()),
        2,
        bytes(Family.MINT.proofBytes()),
        List.of(new MintApproval("ann", bytes(64)), new MintApproval("bob", bytes(64))));
  }

  PartialSignature partial(int authority, int points) {
    return new PartialSignature(
        authority, random.nextInt(10), list(points, this::point), new Vote(bytes(Vote.BYTES)));
  }

  BlindedCoin coin() {
    return new BlindedCoin(field(), point());
  }

  G1Point point() {
    byte[] out = new byte[G1Point.BYTES];
    System.arraycopy(field().bytes(), 0, out, 16, 32);
    System.arraycopy(field().bytes(), 0, out, 64, 32);
    return new G1Point(out);
  }

  KeyPoint key() {
    byte[] out = new byte[KeyPoint.BYTES];
    System.arraycopy(field().bytes(), 0, out, 0, 32);
    System.arraycopy(field().bytes(), 0, out, 32, 32);
    return new KeyPoint(out);
  }

  FieldElement field() {
    return FieldElement.of(new BigInteger(500, random).mod(FieldElement.MODULUS));
  }

  byte[] bytes(int length) {
    byte[] out = new byte[length];
    random.nextBytes(out);
    return out;
  }

  private static <T> List<T> list(int size, Supplier<T> one) {
    return Stream.generate(one).limit(size).toList();
  }
}
