package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.authority.common.ShardSchema;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.KnownCore;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.dev.testkit.world.TestWallet.Recovered;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SubmitReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** One attack for each rule that a validator applies to a recover, with real proofs. */
@Tag("process")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RecoverRulesTest {

  private static RegulatedNetwork network;
  private static TestWallet wallet;
  private static TransferRequest small;
  private static TransferRequest large;
  private static KnownCore x1;
  private static KnownCore x2;

  /** A recover over both, which is never signed. Its altered copies are refused. */
  private static Recovered good;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create().start();
    wallet = network.walletOn(0);
    TestWallet.Draft first = network.draft(wallet, 1);
    TestWallet.Draft second = network.draft(wallet, 0);
    small = first.prove(network.rules());
    large = second.prove(network.rules());
    x1 = first.known(small);
    x2 = second.known(large);
    good = wallet.recover(x1, x2, 0b0001);
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  /** Attack: somebody else's core holds a row that the recover would take for free. */
  @Test
  @Order(1)
  @Spec({"X-21", "X-26", "X-27"})
  void aRowOfAnUnrelatedCoreRefusesTheRecover() {
    refusedWhereHeld(good, wallet.leadSerial());
    for (SerialNumber next : good.request().statement().next()) {
      refusedWhereHeld(good, next);
    }
    refusedWhereHeld(good, small.statement().serials().get(1));
    Recovered inner = wallet.recover(x1, x1, 0);
    Recovered outer = wallet.recover(inner.known(), x2, 0);
    SerialNumber returned = new SerialNumber(outer.request().statement().returned().getFirst());
    assertThat(outer.resolved().serials()).contains(returned);
    refusedWhereHeld(outer, returned);
    assertThat(answered()).as("nothing was signed").isZero();
  }

  /** The row goes again afterwards, which no authority's does. */
  private static void refusedWhereHeld(Recovered recover, SerialNumber serial) {
    TxCore other = TxCore.of(TestRandom.bytes(32));
    String schema = ShardSchema.name(TestAuthority.ownerOf(serial));
    sql("INSERT INTO %s.serials VALUES (?, ?)".formatted(schema), serial.bytes(), other.bytes());
    Rejection refusal =
        Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(recover.request()))
            .getRejected();
    assertThat(refusal.getHeldSerial()).isEqualTo(ByteString.copyFrom(serial.bytes()));
    assertThat(refusal.getHolder().getCore()).isEqualTo(ByteString.copyFrom(other.bytes()));
    assertThat(refusal.getHolder().hasTransfer() || refusal.getHolder().hasRecover()).isFalse();
    sql("ALTER TABLE %s.serials DISABLE TRIGGER ALL".formatted(schema));
    sql("DELETE FROM %s.serials WHERE serial = ?".formatted(schema), serial.bytes());
    sql("ALTER TABLE %s.serials ENABLE TRIGGER ALL".formatted(schema));
  }

  private static void sql(String sql, Object... parameters) {
    network.database.jdbc().sql(sql).params(parameters).update();
  }

  private static long answered() {
    return network
        .database
        .jdbc()
        .sql(
            "SELECT (SELECT count(*) FROM shard_0.recover_answers) + (SELECT count(*) FROM signer.signed)")
        .query(Long.class)
        .single();
  }

  @Test
  @Order(2)
  @Spec("X-25")
  void aForgedRequestBelowIsRefused() {
    Evidence e = large.evidence();
    byte[] signature = e.rkSignature();
    signature[95] ^= 1;
    assertRefused(
        RejectionCode.SIGNATURE_INVALID,
        below(new Evidence(1, 1, e.circuitVersion(), e.rk(), e.shows(), e.proof(), signature)));
    assertRefused(
        RejectionCode.PROOF_INVALID,
        below(
            new Evidence(
                1,
                1,
                e.circuitVersion(),
                e.rk(),
                e.shows(),
                small.evidence().proof(),
                e.rkSignature())));
    assertRefused(
        RejectionCode.SHOWN_SIGNATURE_INVALID,
        below(
            new Evidence(
                1,
                1,
                e.circuitVersion(),
                e.rk(),
                List.of(
                    new io.solidus.protocol.ShownSignature(
                        e.shows().get(0).h(), e.shows().get(0).m(), e.shows().get(1).s()),
                    e.shows().get(1),
                    e.shows().get(2)),
                e.proof(),
                e.rkSignature())));
    assertRefused(
        RejectionCode.UNKNOWN_POLICY,
        below(
            new Evidence(9, 1, e.circuitVersion(), e.rk(), e.shows(), e.proof(), e.rkSignature())));
    assertRefused(
        RejectionCode.UNKNOWN_CHECKPOINT,
        below(
            new Evidence(1, 9, e.circuitVersion(), e.rk(), e.shows(), e.proof(), e.rkSignature())));
    assertRefused(
        RejectionCode.UNKNOWN_VERSION,
        below(new Evidence(1, 1, 77, e.rk(), e.shows(), e.proof(), e.rkSignature())));
  }

  /** The recover with other evidence of the second transfer below it. */
  private static RecoverRequest below(Evidence other) {
    List<RequestBelow> below = new ArrayList<>(good.request().below());
    below.set(1, new TransferBelow(large.statement(), other));
    return with(below, good.request().statement(), good.request().evidence());
  }

  private static RecoverRequest with(
      List<RequestBelow> below, RecoverStatement statement, RecoverEvidence evidence) {
    return new RecoverRequest(below, statement, evidence, good.request().attachments());
  }

  @Test
  @Order(3)
  @Spec({"X-20", "X-24", "X-25"})
  void whatIsChangedInTheRecoverIsRefused() {
    RecoverRequest r = good.request();
    RecoverStatement s = r.statement();
    RecoverEvidence e = r.evidence();
    assertRefused(
        RejectionCode.SIGNATURE_INVALID,
        with(
            r.below(),
            new RecoverStatement(
                s.first(), s.second(), s.next(), s.returned(), 0, s.outputs(), s.context()),
            e));
    assertRefused(
        RejectionCode.SIGNATURE_INVALID,
        with(
            r.below(),
            Altered.next(s, new SerialNumber(TestRandom.field()), s.next().getLast()),
            e));
    Recovered alone = wallet.recover(x1, x1, 0b0001);
    assertRefused(
        RejectionCode.PROOF_INVALID,
        with(
            r.below(),
            s,
            new RecoverEvidence(
                e.circuitVersion(), e.rk(), alone.request().evidence().proof(), e.rkSignature())));
    assertRefused(
        RejectionCode.UNKNOWN_VERSION,
        with(r.below(), s, new RecoverEvidence(77, e.rk(), e.proof(), e.rkSignature())));
    assertRefused(
        RejectionCode.CONTEXT_MISMATCH,
        new RecoverRequest(r.below(), s, e, TestRandom.attachments()));
    List<RequestBelow> more = new ArrayList<>(r.below());
    more.add(more.getFirst());
    assertRefused(RejectionCode.MALFORMED_REQUEST, with(more, s, e));
    assertRefused(
        RejectionCode.SERIALS_NOT_DISTINCT,
        with(r.below(), Altered.next(s, s.next().getFirst(), s.next().getFirst()), e));
  }

  /** Attack: a transfer below that broke the limits of the policy that it names. */
  @Test
  @Order(4)
  @Spec("X-25")
  void aTransferBelowIsJudgedUnderThePolicyThatItNames() {
    network.publishPolicy(2, RegulatedNetwork.PERIOD, 5);
    Evidence e = large.evidence();
    assertRefused(
        RejectionCode.PROOF_INVALID,
        below(
            new Evidence(2, 1, e.circuitVersion(), e.rk(), e.shows(), e.proof(), e.rkSignature())));
  }

  /** The policy of the transfers below is long superseded, and the list's publisher is silent. */
  @Test
  @Order(5)
  @Spec("X-25")
  void noWindowAndNoHeartbeatCounts() {
    network.clock.forward(Duration.ofDays(40));
    assertThat(network.submit(small).getRejected().getCode())
        .as("a transfer")
        .isIn(RejectionCode.HEARTBEAT_STALE.code(), RejectionCode.STALE_POLICY.code());
    SubmitReply reply = Replies.signed(network.submit(good.request()));
    assertThat(network.submit(good.request())).isEqualTo(reply);
  }

  private static void assertRefused(RejectionCode code, RecoverRequest request) {
    // the shard of the wallet's lead serial number, also for what cannot be resolved
    Replies.rejected(code, network.authority.validator(0).submitRecover(Codecs.toWire(request)));
    assertThat(answered()).as("nothing was signed").isZero();
  }
}
