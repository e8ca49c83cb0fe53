package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.Rules;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.dev.testkit.world.TestWallet.Received;
import io.solidus.dev.testkit.world.TestWallet.Recovered;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Suite;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sends claims of 16 with real proofs, shares and PostgreSQL to an authority whose keys have their
 * shape. Every guard of a transfer holds for them.
 */
@Tag("process")
class ClaimFlowTest {
  private static final Period PERIOD = new Period(RegulatedNetwork.PERIOD);

  private static RegulatedNetwork network;

  /** A signed claim of eleven coins, which pays too, and its answer. */
  private static TestWallet shop;

  private static List<Received> coins;
  private static TestWallet.Draft draft;
  private static TransferRequest done;
  private static SubmitReply answer;

  /** Never signed: its altered copies are rejected before anything is stored. */
  private static TransferRequest good;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.withShapes().start();
    shop = network.walletOn(0);
    coins = coins(shop, 11);
    draft = claim(shop, 250, coins);
    done = draft.prove(network.rules());
    answer = Replies.signed(network.submit(done));
    TestWallet other = network.walletOn(1);
    good = claim(other, 0, coins(other, 16)).prove(network.rules());
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @AfterEach
  void disarm() {
    network.authority.failpoints().disarm();
  }

  private static List<Received> coins(TestWallet wallet, int count) {
    return IntStream.range(0, count).mapToObj(i -> wallet.receive(100 + i)).toList();
  }

  private static TestWallet.Draft claim(TestWallet wallet, long paid, List<Received> claimed) {
    return wallet.claim(network.walletOn(0).apk(), paid, PERIOD, claimed);
  }

  private static TxCore core(TransferRequest request) {
    return request.statement().core(network.keys.network());
  }

  @Test
  @Spec("V-08")
  void bothOutputsAreSignedAndAllSeventeenSerialNumbersHeld() {
    PartialSignature partial = Codecs.toDomain(answer.getSigned());
    Suite suite = network.keys.suite();
    Outputs outputs = Outputs.of(network.keys.network(), done.statement());
    for (int i = 0; i < 2; i++) {
      assertThat(
              suite.checkPartial(
                  network.keys.committee().member(1), outputs, i, partial.points().get(i)))
          .isTrue();
    }
    assertThat(partial.votesFor(core(done), network.keys.committee(), network.clock.instant()))
        .isTrue();
    assertThat(done.statement().serials()).hasSize(17);
    for (SerialNumber serial : done.statement().serials()) {
      assertThat(network.state(serial).getCore().toByteArray()).isEqualTo(core(done).bytes());
    }
    SerialState lead = network.state(done.statement().leadSerial());
    assertThat(lead.getStatus()).isEqualTo(SerialState.Status.STATUS_SIGNED);
    assertThat(Codecs.toDomain(lead.getRequest())).isEqualTo(done);
  }

  @Test
  @Spec("V-02")
  void theSameCoreGetsTheSameBytesAlsoWithNewEvidence() {
    assertThat(network.submit(done).toByteArray()).isEqualTo(answer.toByteArray());
    TransferRequest again = draft.prove(network.rules());
    assertThat(again.evidence()).isNotEqualTo(done.evidence());
    assertThat(network.submit(again).toByteArray()).isEqualTo(answer.toByteArray());
  }

  /** Attack: one received coin stands for two of the sixteen. */
  @Test
  @Spec("V-01")
  void refusesACoinClaimedTwiceInOneProof() {
    var wire = Codecs.toWire(good).toBuilder();
    wire.getStatementBuilder().setSerials(9, wire.getStatement().getSerials(3));
    Replies.rejected(
        RejectionCode.SERIALS_NOT_DISTINCT,
        network.authority.validator(1).submitTransfer(wire.build()));
  }

  /** Attack: a coin that a payment has claimed already, in the last place of a claim. */
  @Test
  @Spec({"V-04", "V-07"})
  void refusesACoinOfAnotherCoreAndLeavesTheComplianceCoinFree() {
    TestWallet second = shop.withAnotherComplianceCoin(TestAuthority.ownedBy(1));
    TransferRequest conflicting =
        claim(second, 0, List.of(second.receive(5), second.receive(6), coins.get(10)))
            .prove(network.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(conflicting));
    assertThat(network.state(second.leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
    TransferRequest single =
        second.transfer(second.apk(), 0, PERIOD, coins.get(4)).prove(network.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(single));
  }

  /** Attack: a payment and a claim out of one compliance coin, each at half of the authorities. */
  @Test
  @Spec("V-09")
  void halfQuorumsOfTwoFamiliesDoNotAddUp() {
    TransferRequest payment =
        shop.transfer(network.walletOn(0).apk(), 1, PERIOD, shop.receive(7)).prove(network.rules());
    assertThat(payment.statement().leadSerial()).isEqualTo(done.statement().leadSerial());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(payment));
    // another authority took the payment
    TransferStatement other = payment.statement();
    PartialSignature partial = network.keys.partial(2, other);
    assertThat(partial.votesFor(core(done), network.keys.committee(), network.clock.instant()))
        .isFalse();
    Outputs outputs = Outputs.of(network.keys.network(), done.statement());
    for (int j = 0; j < 2; j++) {
      assertThat(
              network
                  .keys
                  .suite()
                  .checkPartial(
                      network.keys.committee().member(2), outputs, j, partial.points().get(j)))
          .isFalse();
    }
    // votes for the claim finish no payment
    PartialSignature first = Codecs.toDomain(answer.getSigned());
    PartialSignature second = network.keys.partial(3, done.statement());
    Replies.rejected(
        RejectionCode.SERIAL_CONFLICT, network.submit(Altered.certificate(payment, first, second)));
  }

  @Test
  @Spec("V-06")
  void refusesProofsOfOtherStatements() {
    Replies.rejected(
        RejectionCode.PROOF_INVALID, network.submit(Altered.proof(good, done.evidence().proof())));
    byte[] damaged = good.evidence().proof();
    damaged[5] ^= 1;
    Replies.rejected(RejectionCode.PROOF_INVALID, network.submit(Altered.proof(good, damaged)));
    Replies.rejected(
        RejectionCode.UNKNOWN_VERSION, network.submit(Altered.versions(good, 1, 1, 77)));
    ShownSignature show = good.evidence().shows().get(16);
    ShownSignature wrong =
        new ShownSignature(show.h(), show.m(), done.evidence().shows().getFirst().s());
    Replies.rejected(
        RejectionCode.SHOWN_SIGNATURE_INVALID, network.submit(Altered.show(good, 16, wrong)));
    Replies.rejected(
        RejectionCode.SIGNATURE_INVALID,
        network.submit(Altered.keySignature(good, done.evidence().rkSignature())));
    assertThat(network.state(good.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  /** Attack: the prover used limits of its own. */
  @Test
  @Spec("V-06")
  void refusesAPaymentAboveTheLimit() {
    Rules real = network.rules();
    Rules wider =
        new Rules(
            real.network(),
            TestSanctions.policy(1, RegulatedNetwork.PERIOD, 5_000, network.clock),
            real.checkpoint(),
            real.list());
    TestWallet payer = network.walletOn(0);
    TransferRequest above = claim(payer, 1_001, coins(payer, 5)).prove(wider);
    Replies.rejected(RejectionCode.PROOF_INVALID, network.submit(above));
  }

  @Test
  @Spec("V-10")
  void refusesAPeriodThatIsOver() {
    TestWallet late = network.walletOn(0);
    TransferRequest stale =
        late.claim(late.apk(), 0, new Period(RegulatedNetwork.PERIOD - 1), coins(late, 5))
            .prove(network.rules());
    Replies.rejected(RejectionCode.STALE_PERIOD, network.submit(stale));
    assertThat(network.state(late.leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  /** The lead is held, its siblings are not: the same core, sent again, completes. */
  @Test
  @Spec("V-09")
  void aClaimCompletesAfterACrashBetweenTheShards() {
    TestWallet wallet = network.walletOn(0);
    TransferRequest claim = claim(wallet, 0, coins(wallet, 16)).prove(network.rules());
    network.authority.failpoints().arm(Step.OWN_SERIALS_RESERVED);
    assertThatThrownBy(() -> network.submit(claim)).isInstanceOf(StatusRuntimeException.class);
    network.authority.failpoints().disarm();
    assertThat(network.state(claim.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_RESERVED);
    Replies.signed(network.submit(claim));
  }

  /** Two devices: the longer claim has the coins of the other, and none is lost. */
  @Test
  @Spec({"X-24", "X-25", "X-26"})
  void aRecoverOverAClaimBurnsIt() {
    TestWallet wallet = network.walletOn(0);
    List<Received> all = coins(wallet, 12);
    TestWallet.Draft longer = claim(wallet, 0, all);
    TestWallet.Draft shorter = claim(wallet, 0, all.subList(0, 5));
    TransferRequest one = longer.prove(network.rules());
    TransferRequest other = shorter.prove(network.rules());
    Replies.signed(network.submit(other));
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(one));
    Recovered recover = wallet.recover(longer.known(one), shorter.known(other), 0b0011);
    assertThat(recover.resolved().serials()).hasSize(1 + 16 + 2);
    SubmitReply reply = Replies.signed(network.submit(recover.request()));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    assertThat(
            network
                .keys
                .suite()
                .checkPoints(network.keys.committee(), recover.resolved().signed(), partial))
        .isTrue();
    // half of the shorter claim has a coin that counts already
    assertThatThrownBy(() -> wallet.recover(longer.known(one), shorter.known(other), 0b0111))
        .hasMessageContaining("credited twice");
  }
}
