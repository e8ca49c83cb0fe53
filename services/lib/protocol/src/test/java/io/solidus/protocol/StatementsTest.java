package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatementsTest {
  private final Samples samples = new Samples(2);

  @Test
  void refusesARepeatedSerialNumber() {
    SerialNumber cc = samples.serial();
    SerialNumber in = samples.serial();
    for (List<SerialNumber> serials :
        List.of(List.of(cc, in, in), List.of(cc, in, cc), List.of(cc, cc, in))) {
      Rejected.with(RejectionCode.SERIALS_NOT_DISTINCT, () -> with(Family.TRANSFER, serials, 2));
    }
    Rejected.with(
        RejectionCode.SERIALS_NOT_DISTINCT,
        () -> with(Family.TRANSFER_UNREGULATED, List.of(cc, cc), 2));
  }

  @Test
  void refusesWrongCountsAndFamilies() {
    List<SerialNumber> three = List.of(samples.serial(), samples.serial(), samples.serial());
    Rejected.malformed(() -> with(Family.TRANSFER, three.subList(0, 2), 2));
    Rejected.malformed(() -> with(Family.TRANSFER, three, 1));
    Rejected.malformed(() -> with(Family.TRANSFER, three, 3));
    Rejected.malformed(() -> with(Family.TRANSFER_UNREGULATED, three, 2));
    Rejected.malformed(() -> with(Family.TRANSFER, List.of(), 0));
    for (Family family : List.of(Family.REGISTER, Family.MINT, Family.RECOVER, Family.DISCLOSE)) {
      Rejected.malformed(() -> with(family, three, 2));
    }
    Rejected.malformed(() -> Family.of(0));
    Rejected.malformed(() -> with(Family.CLAIM_16, three, 2));
    Rejected.malformed(() -> with(Family.PAY_8, three, 2));
    Rejected.malformed(() -> with(Family.PAY_8, three, 8));
    Rejected.malformed(() -> with(Family.PAY_8, three, 10));
    assertThat(with(Family.PAY_8, three, 9).outputs()).hasSize(9);
    Rejected.malformed(() -> Family.of(9));
  }

  @Test
  @Spec("E-12")
  void everyFieldOfATransferChangesItsCore() {
    TransferStatement base = samples.transfer();
    List<TransferStatement> others = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<SerialNumber> serials = new ArrayList<>(base.serials());
      serials.set(i, samples.serial());
      others.add(
          copy(base, serials, base.outputs(), base.period(), base.withdrawn(), base.context()));
    }
    for (int i = 0; i < 2; i++) {
      BlindedCoin coin = base.outputs().get(i);
      for (BlindedCoin changed :
          List.of(
              new BlindedCoin(samples.field(), coin.k()),
              new BlindedCoin(coin.cm(), samples.g1()))) {
        List<BlindedCoin> outputs = new ArrayList<>(base.outputs());
        outputs.set(i, changed);
        others.add(
            copy(base, base.serials(), outputs, base.period(), base.withdrawn(), base.context()));
      }
    }
    others.add(
        copy(
            base,
            base.serials().reversed(),
            base.outputs(),
            base.period(),
            base.withdrawn(),
            base.context()));
    others.add(
        copy(
            base,
            base.serials(),
            base.outputs().reversed(),
            base.period(),
            base.withdrawn(),
            base.context()));
    others.add(
        copy(
            base,
            base.serials(),
            base.outputs(),
            new Period(202602),
            base.withdrawn(),
            base.context()));
    others.add(
        copy(base, base.serials(), base.outputs(), base.period(), Amount.of(21), base.context()));
    others.add(
        copy(
            base,
            base.serials(),
            base.outputs(),
            base.period(),
            base.withdrawn(),
            new Digest32(samples.bytes(32))));
    Set<TxCore> cores = new HashSet<>();
    others.forEach(other -> cores.add(other.core(Samples.NETWORK)));
    cores.add(base.core(Samples.NETWORK));
    cores.add(base.core(new NetworkId("other-net")));
    assertThat(cores).hasSize(others.size() + 2);
  }

  /** D must not depend on the outputs, whose randomness is derived from it, and on all else. */
  @Test
  @Spec("E-11")
  void inputDigestBindsInputsOnly() {
    TransferStatement base = samples.transfer();
    TransferStatement otherOutputs =
        copy(
            base,
            base.serials(),
            base.outputs().reversed(),
            new Period(1),
            base.withdrawn(),
            base.context());
    assertThat(otherOutputs.inputDigest(Samples.NETWORK))
        .isEqualTo(base.inputDigest(Samples.NETWORK));
    List<SerialNumber> serials = new ArrayList<>(base.serials());
    serials.set(0, samples.serial());
    assertThat(
            List.of(
                copy(
                    base, serials, base.outputs(), base.period(), base.withdrawn(), base.context()),
                copy(
                    base,
                    base.serials(),
                    base.outputs(),
                    base.period(),
                    Amount.of(1),
                    base.context()),
                copy(
                    base,
                    base.serials(),
                    base.outputs(),
                    base.period(),
                    base.withdrawn(),
                    new Digest32(new byte[32]))))
        .allSatisfy(other ->
            assertThat(other.inputDigest(Samples.NETWORK))
                .isNotEqualTo(base.inputDigest(Samples.NETWORK)));
  }

  @Test
  void requestNeedsOneShowPerSerialAndOneEntryPerAuthority() {
    TransferStatement statement = samples.transfer();
    Attachments attachments = samples.attachments();
    Rejected.malformed(
        () -> new TransferRequest(statement, samples.evidence(2), attachments, List.of()));
    PartialSignature one = samples.partial(1);
    Rejected.malformed(
        () -> new TransferRequest(statement, samples.evidence(3), attachments, List.of(one, one)));
    PartialSignature tooShort =
        new PartialSignature(2, 0, List.of(samples.g1()), new Vote(new byte[Vote.BYTES]));
    Rejected.malformed(
        () -> new TransferRequest(statement, samples.evidence(3), attachments, List.of(tooShort)));
    TransferRequest good =
        new TransferRequest(
            statement, samples.evidence(3), attachments, List.of(one, samples.partial(2)));
    assertThat(good.certificate()).hasSize(2);
  }

  @Test
  @Spec("E-13")
  void attachmentsMustBeThoseOfTheStatement() {
    Attachments attachments = samples.attachments();
    TransferStatement base = samples.transfer();
    TransferStatement bound =
        copy(
            base,
            base.serials(),
            base.outputs(),
            base.period(),
            base.withdrawn(),
            attachments.context(Samples.NETWORK));
    new TransferRequest(bound, samples.evidence(3), attachments, List.of())
        .requireContext(Samples.NETWORK);
    Rejected.with(
        RejectionCode.CONTEXT_MISMATCH,
        () ->
            new TransferRequest(base, samples.evidence(3), attachments, List.of())
                .requireContext(Samples.NETWORK));
    Rejected.with(
        RejectionCode.CONTEXT_MISMATCH,
        () ->
            new TransferRequest(bound, samples.evidence(3), attachments, List.of())
                .requireContext(new NetworkId("other-net")));
    assertThat(samples.attachments().payoutBlock()).isNotEqualTo(attachments.payoutBlock());
    Rejected.malformed(() -> new Attachments(new byte[511], new byte[1024]));
    Rejected.malformed(() -> new Attachments(new byte[512], new byte[1025]));
  }

  @Test
  void aProofHasTheLengthOfItsFamilys() {
    Evidence transfer = samples.evidence(3);
    Evidence unregulated = samples.evidence(2);
    TransferStatement two =
        with(Family.TRANSFER_UNREGULATED, List.of(samples.serial(), samples.serial()), 2);
    new TransferRequest(two, unregulated, samples.attachments(), List.of());
    Rejected.malformed(() ->
        new TransferRequest(
            two, with(transfer.proof(), unregulated.shows()), samples.attachments(), List.of()));
    Rejected.malformed(() ->
        new TransferRequest(
            samples.transfer(),
            with(unregulated.proof(), transfer.shows()),
            samples.attachments(),
            List.of()));
    Rejected.malformed(() -> with(samples.bytes(Family.MINT.proofBytes()), transfer.shows()));
  }

  private Evidence with(byte[] proof, List<ShownSignature> shows) {
    return new Evidence(3, 4, 1, samples.key(), shows, proof, samples.evidence(3).rkSignature());
  }

  /** Bases depend on D, the period of a transfer and every c_m. */
  @Test
  void outputsAreThoseOfTheirStatement() {
    TransferStatement transfer = samples.transfer();
    assertThat(Outputs.of(Samples.NETWORK, transfer))
        .isEqualTo(
            new Outputs(
                transfer.inputDigest(Samples.NETWORK), transfer.period(), transfer.outputs()));
    MintStatement mint =
        new MintStatement(
            new MintId(new Digest32(samples.bytes(32))), Amount.of(1), samples.coin());
    assertThat(Outputs.of(Samples.NETWORK, mint))
        .isEqualTo(
            new Outputs(mint.inputDigest(Samples.NETWORK), Period.NONE, List.of(mint.coin())));
    RegisterStatement register = new RegisterStatement(new Apk(samples.field()), samples.coin());
    assertThat(Outputs.of(Samples.NETWORK, register))
        .isEqualTo(
            new Outputs(
                register.inputDigest(Samples.NETWORK), Period.NONE, List.of(register.coin())));
    for (int count : new int[] {0, Outputs.MAX + 1}) {
      List<BlindedCoin> coins = Collections.nCopies(count, mint.coin());
      Rejected.malformed(() -> new Outputs(mint.inputDigest(Samples.NETWORK), Period.NONE, coins));
    }
  }

  @Test
  @Spec("E-14")
  void mintSerialDependsOnIdAndNetworkOnly() {
    MintId id = new MintId(new Digest32(samples.bytes(32)));
    MintStatement a = new MintStatement(id, Amount.of(1), samples.coin());
    MintStatement b = new MintStatement(id, Amount.of(2), samples.coin());
    assertThat(a.serial(Samples.NETWORK)).isEqualTo(b.serial(Samples.NETWORK));
    assertThat(a.serial(Samples.NETWORK)).isNotEqualTo(a.serial(new NetworkId("other-net")));
    assertThat(a.core(Samples.NETWORK)).isNotEqualTo(b.core(Samples.NETWORK));
    assertThat(a.inputDigest(Samples.NETWORK)).isNotEqualTo(b.inputDigest(Samples.NETWORK));
  }

  @Test
  void mintNeedsDifferentApprovers() {
    MintStatement statement =
        new MintStatement(new MintId(new Digest32(new byte[32])), Amount.of(1), samples.coin());
    MintApproval one = new MintApproval("ann", samples.bytes(64));
    MintApproval again = new MintApproval("ann", samples.bytes(64));
    int length = Family.MINT.proofBytes();
    Rejected.malformed(
        () -> new MintRequest(statement, 1, samples.bytes(length), List.of(one, again)));
    Rejected.malformed(
        () -> new MintRequest(statement, 1, samples.bytes(length - 1), List.of(one)));
    Rejected.malformed(() -> new MintApproval("", samples.bytes(64)));
  }

  @Test
  @Spec("F-28")
  void approvalHoldsForItsMintOnly() {
    Ed25519PrivateKey key = Ed25519PrivateKey.fromSeed(samples.bytes(32));
    BlindedCoin coin = samples.coin();
    MintId id = new MintId(new Digest32(samples.bytes(32)));
    MintStatement statement = new MintStatement(id, Amount.of(100), coin);
    MintApproval approval =
        new MintApproval("ann", key.sign(MintApproval.message(Samples.NETWORK, statement)));
    assertThat(approval.isBy(key.publicKey(), Samples.NETWORK, statement)).isTrue();
    assertThat(approval.isBy(key.publicKey(), new NetworkId("other-net"), statement)).isFalse();
    assertThat(
            approval.isBy(
                key.publicKey(), Samples.NETWORK, new MintStatement(id, Amount.of(101), coin)))
        .isFalse();
    assertThat(
            approval.isBy(
                key.publicKey(),
                Samples.NETWORK,
                new MintStatement(id, Amount.of(100), samples.coin())))
        .isFalse();
  }

  @Test
  void committeeIsThreeFPlusOneNumberedFromOne() {
    Committee committee = samples.committee(2);
    assertThat(committee.n()).isEqualTo(7);
    assertThat(committee.quorum()).isEqualTo(5);
    assertThat(committee.weakQuorum()).isEqualTo(3);
    assertThat(committee.member(7).index()).isEqualTo(7);
    Rejected.malformed(() -> committee.member(0));
    Rejected.malformed(() -> committee.member(8));
    List<CommitteeMember> members = committee.members();
    Rejected.malformed(() -> rebuilt(committee, members.subList(0, 6)));
    Rejected.malformed(() -> rebuilt(committee, members.reversed()));
  }

  private Committee rebuilt(Committee like, List<CommitteeMember> members) {
    return new Committee(like.network(), 0, 2, like.x(), like.y(), like.y1(), members);
  }

  private TransferStatement with(Family family, List<SerialNumber> serials, int outputs) {
    List<BlindedCoin> coins = new ArrayList<>();
    for (int i = 0; i < outputs; i++) {
      coins.add(samples.coin());
    }
    return new TransferStatement(
        family, serials, coins, new Period(0), Amount.ZERO, new Digest32(new byte[32]));
  }

  private static TransferStatement copy(
      TransferStatement like,
      List<SerialNumber> serials,
      List<BlindedCoin> outputs,
      Period period,
      Amount withdrawn,
      Digest32 context) {
    return new TransferStatement(like.family(), serials, outputs, period, withdrawn, context);
  }
}
