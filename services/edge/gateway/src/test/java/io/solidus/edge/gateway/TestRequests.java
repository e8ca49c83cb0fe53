package io.solidus.edge.gateway;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
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
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.OutputToBlind;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes requests. Their blinded coins are real, so that they can be signed. Their proofs are
 * random, because the gateway does not verify them.
 */
final class TestRequests {
  private TestRequests() {}

  static TransferRequest transfer(Generators random) {
    return transfer(random, random.serial());
  }

  static TransferRequest transfer(Generators random, SerialNumber lead) {
    Attachments attachments = random.attachments();
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER,
            List.of(lead, random.serial(), random.serial()),
            List.of(blindedCoin(random), blindedCoin(random)),
            new Period(202611),
            Amount.ZERO,
            attachments.context(TestCommittee.NETWORK));
    return new TransferRequest(statement, random.evidence(Family.TRANSFER), attachments, List.of());
  }

  /** A transfer of any family. */
  static TransferRequest transfer(Generators random, Family family) {
    Attachments attachments = random.attachments(family);
    TransferStatement statement =
        new TransferStatement(
            family,
            Stream.generate(random::serial).limit(family.serials()).toList(),
            Stream.generate(() -> blindedCoin(random)).limit(family.outputs()).toList(),
            new Period(202611),
            Amount.ZERO,
            attachments.context(TestCommittee.NETWORK));
    return new TransferRequest(statement, random.evidence(family), attachments, List.of());
  }

  /** A recover over two transfers with one lead serial number, of which it credits a coin. */
  static RecoverRequest recover(Generators random) {
    SerialNumber lead = random.serial();
    return recover(random, transfer(random, lead), transfer(random, lead));
  }

  static RecoverRequest recover(Generators random, TransferRequest first, TransferRequest second) {
    Attachments attachments = random.attachments();
    return new RecoverRequest(
        List.of(below(first), below(second)),
        recoverStatement(random, 0, 1, FieldElement.ZERO, 1, attachments),
        recoverEvidence(random),
        attachments);
  }

  /** A recover over the most requests: over a recover and a transfer, and so on down. */
  static RecoverRequest longestRecover(Generators random) {
    SerialNumber lead = random.serial();
    List<RequestBelow> below =
        new ArrayList<>(List.of(below(transfer(random, lead)), below(transfer(random, lead))));
    FieldElement returned = FieldElement.ZERO;
    while (true) {
      Attachments attachments = random.attachments();
      int last = below.size() - 1;
      RecoverStatement statement =
          recoverStatement(random, last - 1, last, returned, 0, attachments);
      if (below.size() == ResolvedRecover.MAX_BELOW) {
        return new RecoverRequest(below, statement, recoverEvidence(random), attachments);
      }
      below.add(new RecoverBelow(statement, recoverEvidence(random)));
      below.add(below(transfer(random, lead)));
      returned = random.serial().value();
    }
  }

  private static TransferBelow below(TransferRequest transfer) {
    return new TransferBelow(transfer.statement(), transfer.evidence());
  }

  private static RecoverStatement recoverStatement(
      Generators random,
      int first,
      int second,
      FieldElement returned,
      int credits,
      Attachments attachments) {
    return new RecoverStatement(
        first,
        second,
        List.of(random.serial(), random.serial()),
        List.of(returned, FieldElement.ZERO),
        credits,
        List.of(blindedCoin(random), blindedCoin(random)),
        attachments.context(TestCommittee.NETWORK));
  }

  private static RecoverEvidence recoverEvidence(Generators random) {
    return new RecoverEvidence(
        1,
        random.keyPoint(),
        random.bytes(Family.RECOVER.proofBytes()),
        random.bytes(ProofBytes.RK_SIGNATURE));
  }

  /** The same core with another proof. */
  static TransferRequest otherProof(TransferRequest request, Generators random) {
    return new TransferRequest(
        request.statement(),
        random.evidence(Family.TRANSFER),
        request.attachments(),
        request.certificate());
  }

  static MintRequest mint(Generators random) {
    MintRequest like = random.mintRequest();
    MintStatement statement =
        new MintStatement(
            new MintId(random.digest()), like.statement().value(), blindedCoin(random));
    return new MintRequest(statement, 1, like.proof(), like.approvals());
  }

  static RegisterRequest register(Generators random) {
    return new RegisterRequest(
        new RegisterStatement(random.apk(), blindedCoin(random)),
        1,
        random.keyPoint(),
        random.bytes(Family.REGISTER.proofBytes()),
        random.bytes(ProofBytes.RK_SIGNATURE));
  }

  /**
   * A blinded coin of a random message. It is blinded as the output of another statement than that
   * of its request, so partial signatures on it can be verified, but not the unblinded signature.
   */
  static BlindedCoin blindedCoin(Generators random) {
    InputDigest d =
        InputDigest.mint(TestCommittee.NETWORK, new MintId(Digest32.of(new byte[32])), Amount.ZERO);
    OutputToBlind output =
        new OutputToBlind(random.fieldElement(), random.fieldElement(), random.scalar());
    return TestCommittee.regulated()
        .suite()
        .blind(d, Period.NONE, List.of(output))
        .coins()
        .getFirst();
  }

  static String json(RecoverRequest request) {
    return WireJson.write(RecoverRequestJson.of(request));
  }

  static String json(TransferRequest request) {
    return WireJson.write(TransferRequestJson.of(request));
  }
}
