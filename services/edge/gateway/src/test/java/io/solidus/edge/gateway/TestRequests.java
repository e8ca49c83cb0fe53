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
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.OutputToBlind;
import io.solidus.wire.json.RecoverRequestJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.util.List;

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

  /** A recover over two transfers with one lead serial number, of which it credits a coin. */
  static RecoverRequest recover(Generators random) {
    SerialNumber lead = random.serial();
    return recover(random, transfer(random, lead), transfer(random, lead));
  }

  static RecoverRequest recover(Generators random, TransferRequest first, TransferRequest second) {
    Attachments attachments = random.attachments();
    RecoverStatement statement =
        new RecoverStatement(
            0,
            1,
            List.of(random.serial(), random.serial()),
            List.of(FieldElement.ZERO, FieldElement.ZERO),
            1,
            List.of(blindedCoin(random), blindedCoin(random)),
            attachments.context(TestCommittee.NETWORK));
    return new RecoverRequest(
        List.of(
            new TransferBelow(first.statement(), first.evidence()),
            new TransferBelow(second.statement(), second.evidence())),
        statement,
        new RecoverEvidence(
            1,
            random.keyPoint(),
            random.bytes(Family.RECOVER.proofBytes()),
            random.bytes(ProofBytes.RK_SIGNATURE)),
        attachments);
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
