package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.KnownCore;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.dev.testkit.world.TestWallet.Recovered;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SignRecoverRequest;
import io.solidus.wire.v1.SubmitReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recovers with real proofs, shares and PostgreSQL, at all four authorities. */
@Tag("process")
class RecoverFlowTest {

  private static RegulatedNetwork network;
  private static final List<TestAuthority> COMMITTEE = new ArrayList<>();

  /** Two transfers of one compliance coin. */
  private record Fork(
      TestWallet wallet, TransferRequest one, KnownCore x1, TransferRequest other, KnownCore x2) {
    static Fork make() {
      TestWallet wallet = network.walletOn(0);
      TestWallet.Draft first = network.draft(wallet, 1);
      TestWallet.Draft second = network.draft(wallet, 0);
      TransferRequest one = first.prove(network.rules());
      TransferRequest other = second.prove(network.rules());
      return new Fork(wallet, one, first.known(one), other, second.known(other));
    }
  }

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create().start();
    COMMITTEE.add(network.authority);
    for (int index = 2; index <= 4; index++) {
      COMMITTEE.add(network.startAuthority(index));
    }
  }

  @AfterAll
  static void stop() {
    COMMITTEE.subList(1, COMMITTEE.size()).forEach(TestAuthority::close);
    network.close();
  }

  @AfterEach
  void disarm() {
    network.authority.failpoints().disarm();
  }

  /** Attack of two devices: each half of the committee holds another payment of one coin. */
  @Test
  @Spec({"X-25", "X-26"})
  void aSplitCommitteeIsFreedByARecoverThatAllFourSign() {
    Fork fork = Fork.make();
    for (int i = 0; i < 4; i++) {
      Replies.signed(network.submit(COMMITTEE.get(i), i < 2 ? fork.one() : fork.other()));
      Replies.rejected(
          RejectionCode.SERIAL_CONFLICT,
          network.submit(COMMITTEE.get(i), i < 2 ? fork.other() : fork.one()));
    }
    Recovered recover = fork.wallet().recover(fork.x1(), fork.x2(), 0b0001);
    for (int i = 0; i < 4; i++) {
      SubmitReply reply = Replies.signed(network.submit(COMMITTEE.get(i), recover.request()));
      requireValid(i + 1, recover, reply);
      assertThat(network.submit(COMMITTEE.get(i), recover.request()))
          .as("the same bytes again")
          .isEqualTo(reply);
      Replies.signed(network.submit(COMMITTEE.get(i), i < 2 ? fork.one() : fork.other()));
    }
  }

  private static void requireValid(int authority, Recovered recover, SubmitReply reply) {
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    assertThat(partial.authority()).isEqualTo(authority);
    assertThat(
            partial.votesFor(
                recover.resolved().core(), network.keys.committee(), network.clock.instant()))
        .isTrue();
    for (int output = 0; output < 2; output++) {
      assertThat(
              network
                  .keys
                  .suite()
                  .checkPartial(
                      network.keys.committee().member(authority),
                      recover.resolved().signed(),
                      output,
                      partial.points().get(output)))
          .isTrue();
    }
  }

  /** One authority took a recover about one core; the next one is over it and the other core. */
  @Test
  @Spec("X-26")
  void aRecoverOverARecoverIsSignedByAll() {
    Fork fork = Fork.make();
    Replies.signed(network.submit(COMMITTEE.get(0), fork.one()));
    Replies.signed(network.submit(COMMITTEE.get(1), fork.other()));
    Recovered first = fork.wallet().recover(fork.x1(), fork.x1(), 0b0001);
    Replies.signed(network.submit(COMMITTEE.get(0), first.request()));
    Recovered both = fork.wallet().recover(first.known(), fork.x2(), 0);
    for (int i = 0; i < 4; i++) {
      requireValid(i + 1, both, Replies.signed(network.submit(COMMITTEE.get(i), both.request())));
    }
    Rejection late =
        Replies.rejected(
                RejectionCode.SERIAL_CONFLICT, network.submit(COMMITTEE.get(2), first.request()))
            .getRejected();
    assertThat(late.getHolder().getRecover())
        .as("the recover that came first at this authority")
        .isEqualTo(Codecs.toWire(both.request()));
  }

  @Test
  @Spec("X-27")
  void aRefusalShowsTheHolder() {
    Fork fork = Fork.make();
    SubmitReply answer = Replies.signed(network.submit(fork.one()));
    Recovered recover = fork.wallet().recover(fork.x2(), fork.x2(), 0b0011);
    Rejection refusal =
        Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(recover.request()))
            .getRejected();
    assertThat(refusal.getHeldSerial()).isEqualTo(bytes(fork.wallet().leadSerial()));
    assertThat(refusal.getHolder().getCore()).isEqualTo(bytes(fork.x1().core()));
    assertThat(refusal.getHolder().getTransfer()).isEqualTo(Codecs.toWire(fork.one()));
    assertThat(refusal.getHolder().getSigned()).isEqualTo(answer.getSigned());
    Rejection transfer =
        Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(fork.other())).getRejected();
    assertThat(transfer.getHolder().getCore()).isEqualTo(bytes(fork.x1().core()));
    assertThat(transfer.getHolder().hasTransfer()).as("costs no query").isFalse();
    Recovered both = fork.wallet().recover(fork.x1(), fork.x2(), 0b0001);
    Replies.signed(network.submit(both.request()));
  }

  /** Attack: a shard in foreign hands writes rows for a recover that its rules refuse. */
  @Test
  @Spec({"V-20", "X-26"})
  void hostileRowsDoNotMakeTheSignerSign() {
    Fork fork = Fork.make();
    Recovered recover = fork.wallet().recover(fork.x2(), fork.x2(), 0b0011);
    assertThat(sign(recover).getRejected().getCode())
        .as("nothing is reserved")
        .isEqualTo(RejectionCode.UNAVAILABLE.code());
    Replies.signed(network.submit(fork.one()));
    for (SerialNumber serial : recover.resolved().serials()) {
      network.claim(1, serial, recover.resolved().core());
    }
    assertThat(sign(recover).getRejected().getCode())
        .as("this signer has signed the lead for another core")
        .isEqualTo(RejectionCode.SERIAL_CONFLICT.code());

    Fork other = Fork.make();
    Recovered foreign = other.wallet().recover(other.x2(), other.x2(), 0b0011);
    for (SerialNumber serial : foreign.resolved().serials()) {
      network.claim(0, serial, other.x1().core());
    }
    assertThat(sign(foreign).getRejected().getCode())
        .as("rows of a core that is not below it")
        .isEqualTo(RejectionCode.UNAVAILABLE.code());
  }

  private static SubmitReply sign(Recovered recover) {
    return network
        .authority
        .signer()
        .withInterceptors(InternalCalls.show(InternalToken.derive(network.keys.noteKeySeed(1))))
        .signRecover(
            SignRecoverRequest.newBuilder().setRequest(Codecs.toWire(recover.request())).build());
  }

  @Test
  @Spec("X-26")
  void theSameRecoverCompletesAfterACrashAtAnyStep() {
    Fork fork = Fork.make();
    Replies.signed(network.submit(fork.one()));
    Recovered recover = fork.wallet().recover(fork.x1(), fork.x2(), 0b0001);
    for (Step step : Step.values()) {
      network.authority.failpoints().arm(step);
      var stub = network.authority.validator(0).withDeadlineAfter(30, TimeUnit.SECONDS);
      assertThat(
              catchThrowableOfType(
                  StatusRuntimeException.class,
                  () -> stub.submitRecover(Codecs.toWire(recover.request()))))
          .as(step.name())
          .isNotNull();
      network.authority.failpoints().disarm();
      restart();
    }
    SubmitReply answer = Replies.signed(network.submit(recover.request()));
    requireValid(1, recover, answer);
    restart();
    assertThat(network.submit(recover.request())).isEqualTo(answer);
  }

  private static void restart() {
    for (int shard = 0; shard < TestAuthority.SHARDS; shard++) {
      network.authority.stopShard(shard);
    }
    network.authority.stopSigner();
    network.authority.startAll();
    network.awaitReady();
    Await.until("the signer is ready", network.authority::signerReady);
  }

  private static ByteString bytes(SerialNumber serial) {
    return ByteString.copyFrom(serial.bytes());
  }

  private static ByteString bytes(TxCore core) {
    return ByteString.copyFrom(core.bytes());
  }
}
