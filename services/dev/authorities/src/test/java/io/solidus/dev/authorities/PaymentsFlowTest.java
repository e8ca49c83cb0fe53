package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.Rules;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.dev.testkit.world.TestWallet.Received;
import io.solidus.dev.testkit.world.TestWallet.Recovered;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeException;
import io.solidus.prover.Suite;
import io.solidus.prover.TransferPlan.Payment;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.SubmitReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sends transfers to several payees with real proofs, shares and PostgreSQL to an authority whose
 * keys have their shape. Every guard of a transfer holds for them.
 */
@Tag("process")
class PaymentsFlowTest {
  private static final Period PERIOD = new Period(RegulatedNetwork.PERIOD);

  /** What the policy allows in a period, one less than a transfer can pay. */
  private static final int MOST_PAYMENTS = 7;

  private static RegulatedNetwork network;

  /** A signed transfer to seven payees, and its answer. */
  private static TestWallet employer;

  private static Received coin;
  private static TestWallet.Draft draft;
  private static TransferRequest done;
  private static SubmitReply answer;

  /** Never signed: its altered copies are rejected before anything is stored. */
  private static TransferRequest good;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.withShapes().start();
    network.publish(policy(MOST_PAYMENTS, 1_000));
    employer = network.walletOn(0);
    coin = employer.receive(900);
    draft = employer.pay(payments(MOST_PAYMENTS, 100), PERIOD, List.of(coin));
    done = draft.prove(network.rules());
    answer = Replies.signed(network.submit(done));
    good = network.walletOn(1).pay(payments(3, 50), PERIOD, List.of()).prove(network.rules());
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @AfterEach
  void disarm() {
    network.authority.failpoints().disarm();
  }

  private static Policy policy(int payments, long maxPerPayment) {
    return new Policy(
        2,
        PERIOD,
        Amount.of(maxPerPayment),
        Amount.of(1_000_000),
        Amount.of(1_000_000),
        Amount.ZERO,
        payments,
        Amount.of(1_000_000),
        network.clock.millis());
  }

  private static List<Payment> payments(int payees, long each) {
    return IntStream.range(0, payees)
        .mapToObj(i -> new Payment(new Apk(TestRandom.field()), Amount.of(each + i)))
        .toList();
  }

  private static TxCore core(TransferRequest request) {
    return request.statement().core(network.keys.network());
  }

  private static void unspent(TransferRequest request) {
    for (SerialNumber serial : request.statement().serials()) {
      assertThat(network.state(serial).getStatus()).isEqualTo(SerialState.Status.STATUS_UNSPENT);
    }
  }

  @Test
  @Spec({"V-08", "E-15"})
  void allNineOutputsAreSignedUnderOneVote() {
    PartialSignature partial = Codecs.toDomain(answer.getSigned());
    assertThat(partial.points()).hasSize(9);
    Suite suite = network.keys.suite();
    Outputs outputs = Outputs.of(network.keys.network(), done.statement());
    assertThat(suite.checkPoints(network.keys.committee(), outputs, partial)).isTrue();
    assertThat(partial.votesFor(core(done), network.keys.committee(), network.clock.instant()))
        .isTrue();
    // each point belongs to its place and to all nine outputs
    List<BlindedCoin> swapped = new ArrayList<>(outputs.coins());
    Collections.swap(swapped, 0, 8);
    assertThat(
            suite.checkPoints(
                network.keys.committee(),
                new Outputs(outputs.d(), outputs.period(), swapped),
                partial))
        .isFalse();
    for (SerialNumber serial : done.statement().serials()) {
      assertThat(network.state(serial).getCore().toByteArray()).isEqualTo(core(done).bytes());
    }
    assertThat(Codecs.toDomain(network.state(done.statement().leadSerial()).getRequest()))
        .isEqualTo(done);
  }

  @Test
  @Spec("V-02")
  void theSameCoreGetsTheSameBytesAlsoWithNewEvidence() {
    assertThat(network.submit(done).toByteArray()).isEqualTo(answer.toByteArray());
    TransferRequest again = draft.prove(network.rules());
    assertThat(again.evidence()).isNotEqualTo(done.evidence());
    assertThat(network.submit(again).toByteArray()).isEqualTo(answer.toByteArray());
  }

  /** Attack: a transfer that pays less payees than its family has, or more. */
  @Test
  @Spec("V-01")
  void refusesAnotherNumberOfOutputs() {
    var fewer = Codecs.toWire(good).toBuilder();
    fewer.getStatementBuilder().removeOutputs(8);
    var more = Codecs.toWire(good).toBuilder();
    more.getStatementBuilder().addOutputs(more.getStatement().getOutputs(0));
    var two = Codecs.toWire(good).toBuilder();
    two.getStatementBuilder().setFamily(3);
    for (var wrong : List.of(fewer, more, two)) {
      Replies.rejected(
          RejectionCode.MALFORMED_REQUEST,
          network.authority.validator(1).submitTransfer(wrong.build()));
    }
    unspent(good);
  }

  /** Attack: a memo block that is no longer or shorter than others of the family. */
  @Test
  @Spec("F-82")
  void refusesAMemoBlockOfAnotherLength() {
    for (int length : new int[] {Attachments.MEMO_BYTES, 2_559, 2_561, 30_000}) {
      var wrong = Codecs.toWire(good).toBuilder();
      wrong.getAttachmentsBuilder().setMemoBlock(ByteString.copyFrom(new byte[length]));
      Replies.rejected(
          RejectionCode.MALFORMED_REQUEST,
          network.authority.validator(1).submitTransfer(wrong.build()));
    }
  }

  /** Attack: two payees change places, or one of them is another one. */
  @Test
  @Spec("V-06")
  void refusesOutputsOfAnotherOrderOrStatement() {
    List<BlindedCoin> swapped = new ArrayList<>(good.statement().outputs());
    Collections.swap(swapped, 2, 3);
    assertThat(network.submit(Altered.outputs(good, swapped)).hasRejected()).isTrue();
    for (int j : new int[] {0, 1, 8}) {
      SubmitReply reply =
          network.submit(Altered.output(good, j, done.statement().outputs().get(j)));
      assertThat(reply.hasRejected()).as("output %d", j).isTrue();
    }
    Replies.rejected(
        RejectionCode.PROOF_INVALID, network.submit(Altered.proof(good, done.evidence().proof())));
    unspent(good);
  }

  /** Attack: one of nine points is none, so that eight others would be signed. */
  @Test
  @Spec("V-08")
  void oneUnusableOutputLeavesAllUnsigned() {
    BlindedCoin last = good.statement().outputs().get(8);
    SubmitReply reply =
        network.submit(Altered.output(good, 8, new BlindedCoin(last.cm(), Points.offCurve())));
    Replies.rejected(RejectionCode.POINT_NOT_ON_CURVE, reply);
    unspent(good);
  }

  /** Attack: the coins of eight payments once more, in a transfer to one payee, and the reverse. */
  @Test
  @Spec({"V-04", "V-07", "V-09"})
  void refusesADoubleSpendBetweenTheFamilies() {
    TestWallet second = employer.withAnotherComplianceCoin(TestAuthority.ownedBy(1));
    TransferRequest single = second.transfer(second.apk(), 0, PERIOD, coin).prove(network.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(single));
    TransferRequest sameLead =
        employer.transfer(second.apk(), 1, PERIOD, employer.receive(7)).prove(network.rules());
    assertThat(sameLead.statement().leadSerial()).isEqualTo(done.statement().leadSerial());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(sameLead));
    // another authority took that one: its signatures are none for this core, and finish nothing
    PartialSignature other = network.keys.partial(2, sameLead.statement());
    assertThat(other.votesFor(core(done), network.keys.committee(), network.clock.instant()))
        .isFalse();
    Replies.rejected(
        RejectionCode.SERIAL_CONFLICT,
        network.submit(
            Altered.certificate(
                sameLead,
                new PartialSignature(
                    1,
                    0,
                    Codecs.toDomain(answer.getSigned()).points().subList(0, 2),
                    Codecs.toDomain(answer.getSigned()).vote()),
                other)));
    TestWallet payer = network.walletOn(0);
    Received spent = payer.receive(50);
    Replies.signed(
        network.submit(payer.transfer(payer.apk(), 0, PERIOD, spent).prove(network.rules())));
    TestWallet again = payer.withAnotherComplianceCoin(TestAuthority.ownedBy(0));
    TransferRequest many = again.pay(payments(2, 1), PERIOD, List.of(spent)).prove(network.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(many));
    assertThat(network.state(again.leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  /** Attack: the prover used limits of its own: eight payments where seven are allowed. */
  @Test
  @Spec("V-06")
  void refusesMorePaymentsThanThePolicyAllows() {
    Rules real = network.rules();
    Rules wider =
        new Rules(real.network(), policy(MOST_PAYMENTS + 1, 1_000), real.checkpoint(), real.list());
    TestWallet payer = network.walletOn(0);
    TransferRequest eight = payer.pay(payments(8, 10), PERIOD, List.of()).prove(wider);
    Replies.rejected(RejectionCode.PROOF_INVALID, network.submit(eight));
    assertThatThrownBy(() -> payer.pay(payments(8, 10), PERIOD, List.of()).prove(real))
        .isInstanceOf(NativeException.class);
    unspent(eight);
  }

  /** Attack: one of several payments is above the limit of one. */
  @Test
  @Spec("V-06")
  void refusesOnePaymentAboveTheLimit() {
    Rules real = network.rules();
    Rules wider =
        new Rules(real.network(), policy(MOST_PAYMENTS, 5_000), real.checkpoint(), real.list());
    TestWallet payer = network.walletOn(0);
    List<Payment> payments = new ArrayList<>(payments(4, 10));
    payments.set(3, new Payment(payments.get(3).recipient(), Amount.of(1_001)));
    TransferRequest above = payer.pay(payments, PERIOD, List.of()).prove(wider);
    Replies.rejected(RejectionCode.PROOF_INVALID, network.submit(above));
  }

  /** Attack: a proof about the list before one of the payees was on it. */
  @Test
  @Spec("V-06")
  void refusesOneListedPayee() {
    List<Payment> payments = payments(3, 10);
    TestWallet payer = network.walletOn(1);
    TestWallet.Draft made = payer.pay(payments, PERIOD, List.of());
    TransferRequest before = made.prove(network.rules());
    network.publishCheckpoint(2, SanctionKey.of(payments.get(2).recipient()));
    TransferRequest pretended = Altered.versions(before, 2, 2, before.evidence().circuitVersion());
    Replies.rejected(RejectionCode.PROOF_INVALID, network.submit(pretended));
    assertThatThrownBy(() -> made.prove(network.rules())).isInstanceOf(NativeException.class);
    unspent(before);
  }

  /** The lead is held, its siblings are not: the same core, sent again, gets all nine. */
  @Test
  @Spec("V-09")
  void paymentsCompleteAfterACrashBetweenTheShards() {
    TestWallet wallet = network.walletOn(0);
    TransferRequest pay =
        wallet
            .pay(payments(2, 30), PERIOD, List.of(wallet.receive(5), wallet.receive(6)))
            .prove(network.rules());
    for (Step step : List.of(Step.OWN_SERIALS_RESERVED, Step.SIGNED)) {
      network.authority.failpoints().arm(step);
      assertThatThrownBy(() -> network.submit(pay)).isInstanceOf(StatusRuntimeException.class);
      network.authority.failpoints().disarm();
    }
    SubmitReply reply = Replies.signed(network.submit(pay));
    assertThat(reply.getSigned().getPointsCount()).isEqualTo(9);
  }

  /** Two devices paid out of one compliance coin: a recover over both gives the rest back. */
  @Test
  @Spec({"X-04", "X-25", "X-26"})
  void aRecoverOverPaymentsBurnsThem() {
    TestWallet wallet = network.walletOn(0);
    Received money = wallet.receive(80);
    TestWallet.Draft many = wallet.pay(payments(4, 20), PERIOD, List.of(money));
    TestWallet.Draft single = wallet.transfer(network.walletOn(0).apk(), 5, PERIOD, money);
    TransferRequest one = many.prove(network.rules());
    TransferRequest other = single.prove(network.rules());
    Replies.signed(network.submit(other));
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(one));
    Recovered recover = wallet.recover(many.known(one), single.known(other), 0b0001);
    SubmitReply reply = Replies.signed(network.submit(recover.request()));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    assertThat(
            network
                .keys
                .suite()
                .checkPoints(network.keys.committee(), recover.resolved().signed(), partial))
        .isTrue();
    // the coin counts already, in the other core too
    assertThatThrownBy(() -> wallet.recover(many.known(one), single.known(other), 0b0101))
        .hasMessageContaining("credited twice");
  }
}
