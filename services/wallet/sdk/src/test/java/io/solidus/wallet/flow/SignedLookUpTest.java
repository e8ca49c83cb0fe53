package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway lies about what authorities hold, so that the wallet makes a second core out of a coin
 * which the first still holds at half of them.
 */
@Tag("process")
@Spec({"W-03", "W-09"})
class SignedLookUpTest {
  private static final Period NEXT = new Period(202612);

  @TempDir private Path folder;
  private final String words = WalletBench.newPhrase();
  private WalletBench bench;
  private Wallet alice;
  private Wallet bob;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    Wallet funded = bench.funded("alice", words, 1_000);
    funded.claim();
    bench.closeWallet(funded);
    bench.copy("alice", "backup");
    bob = bench.create("bob");
    alice = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.gateway.transfers.clear();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Alice pays; these authorities reserve for it, and the wallet gets no answer. */
  private void inFlight(int... authorities) {
    bench.gateway.faults.onTransfer =
        request -> {
          for (int authority : authorities) {
            bench.gateway.committee.authority(authority).reserveOnly(request);
          }
        };
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    assertInFlight(() -> alice.pay(bob.address(), amount(10), "first"));
    bench.gateway.faults.lostRequests.set(0);
    bench.gateway.faults.onTransfer = null;
    bench.closeWallet(alice);
    alice = bench.reopen("alice");
  }

  private List<TxCore> coresSent() {
    return bench.gateway.transfers.stream()
        .map(request -> request.statement().core(TestCommittee.NETWORK))
        .distinct()
        .toList();
  }

  private List<TxCore> abandoned() {
    return alice.history().stream()
        .filter(item -> item.kind() == HistoryItem.Kind.ABANDONED)
        .map(HistoryItem::core)
        .toList();
  }

  /** Attack: two authorities hold a payment of the lost phone; the gateway says that none does. */
  @Test
  void aGatewayCannotInventThatACoinIsFree() {
    inFlight(1, 2);
    List<UnaryOperator<List<SignedStates>>> lies =
        List.of(
            signed -> List.of(), // only the gateway's own words
            signed -> signed.stream().map(SignedLookUpTest::saidFree).toList(),
            signed -> signed.stream().map(SignedLookUpTest::signedByStranger).toList(),
            signed -> List.of(signed.get(2), signed.get(3)));
    Wallet backup = bench.reopen("backup", WalletBench.IMPATIENT);
    for (UnaryOperator<List<SignedStates>> lie : lies) {
      bench.gateway.faults.signedStates = lie;
      bench.gateway.faults.stripsRequests = true;
      ProtocolException refused =
          catchThrowableOfType(
              ProtocolException.class, () -> backup.pay(bob.address(), amount(20), "second"));
      assertThat(refused.code()).isEqualTo(RejectionCode.NO_QUORUM);
    }
    assertThat(coresSent()).hasSize(1);

    bench.gateway.faults.signedStates = UnaryOperator.identity();
    bench.gateway.faults.stripsRequests = false;
    backup.pay(bob.address(), amount(20), "second");
    assertThat(bob.receive().stream().map(coin -> coin.reference()))
        .containsExactly("first", "second");
  }

  /** Attack: the gateway shows an old copy the signed answers from before the payment. */
  @Test
  void anAnswerForAnotherNonceCountsNothing() {
    List<SignedStates> old = new ArrayList<>();
    bench.gateway.faults.signedStates =
        signed -> {
          old.clear();
          old.addAll(signed);
          return signed;
        };
    inFlight(1, 2);
    assertThat(old).as("free at all").hasSize(4);
    bench.gateway.faults.stripsRequests = true;
    bench.gateway.faults.signedStates = signed -> List.copyOf(old);
    Wallet backup = bench.reopen("backup", WalletBench.IMPATIENT);
    ProtocolException refused =
        catchThrowableOfType(
            ProtocolException.class, () -> backup.pay(bob.address(), amount(20), "second"));
    assertThat(refused.code()).isEqualTo(RejectionCode.NO_QUORUM);
    assertThat(coresSent()).hasSize(1);
  }

  /**
   * Attack: the gateway withholds the payment, says after the switch of the period that it came too
   * late, and passes on the truth that the coin is free. Until the grace time ends it can deliver
   * the payment to half of the authorities.
   */
  @Test
  void aTransferThatAuthoritiesWouldStillTakeIsNotGivenUp() {
    inFlight();
    bench.gateway.rules.periodWithGrace(NEXT);
    bench.gateway.faults.refusesTransfers = RejectionCode.STALE_PERIOD;
    WalletException waits = assertInFlight(alice::settle);
    assertThat(waits).hasMessageContaining("grace time");
    assertInFlight(() -> alice.pay(bob.address(), amount(20), "second"));
    assertThat(abandoned()).isEmpty();
    assertThat(coresSent()).hasSize(1);

    TransferRequest withheld = bench.gateway.transfers.getLast();
    List.of(1, 2).forEach(i -> bench.gateway.committee.authority(i).submit(withheld));
    bench.gateway.faults.refusesTransfers = null;
    assertThat(alice.settle()).isPresent();
    assertThat(bob.receive())
        .singleElement()
        .satisfies(coin -> assertThat(coin.reference()).isEqualTo("first"));
  }

  @Test
  void aTransferIsGivenUpWhenItsGraceIsOver() {
    inFlight();
    bench.gateway.rules.periodWithGrace(NEXT);
    bench.gateway.faults.refusesTransfers = RejectionCode.STALE_PERIOD;
    assertInFlight(alice::settle);
    bench.gateway.rules.endGrace();
    assertThat(alice.settle()).isEmpty();
    assertThat(abandoned()).isEqualTo(coresSent());
    bench.gateway.faults.refusesTransfers = null;
    alice.pay(bob.address(), amount(20), "second");
    assertThat(bob.receive()).hasSize(1);
  }

  /** Attack: the same with a policy that lowers a limit, under which no new proof is made. */
  @Test
  void aTransferUnderAFormerPolicyIsGivenUpWhenThatIsOver() {
    inFlight();
    bench.gateway.rules.policyWithGrace(5, 500_000, 1_000_000, 50);
    bench.gateway.faults.refusesTransfers = RejectionCode.STALE_POLICY;
    assertInFlight(alice::settle);
    assertThat(abandoned()).isEmpty();
    bench.gateway.rules.endGrace();
    assertThat(alice.settle()).isEmpty();
    assertThat(abandoned()).isEqualTo(coresSent());
  }

  /** Floors of f authorities that lie are not enough, nor those of 2f. */
  @Test
  void floorsCountFromAQuorum() {
    inFlight();
    bench.gateway.rules.periodWithGrace(NEXT);
    bench.gateway.faults.refusesTransfers = RejectionCode.STALE_PERIOD;
    StateFloors high = new StateFloors(2, 1, NEXT);
    for (int promising : List.of(1, 2)) {
      bench.gateway.faults.floors = authority -> authority <= promising ? high : null;
      assertInFlight(alice::settle);
    }
    bench.gateway.faults.floors = authority -> authority <= 3 ? high : null;
    assertThat(alice.settle()).isEmpty();
  }

  @Test
  void oneAuthorityThatTheGatewayLeavesOutIsNotMissed() {
    bench.gateway.faults.signedStates = signed -> signed.subList(1, 4);
    alice.pay(bob.address(), amount(10), "first");
    bench.closeWallet(alice);
    Wallet backup = bench.reopen("backup", WalletBench.IMPATIENT);
    backup.pay(bob.address(), amount(20), "second");
    assertThat(bob.receive()).hasSize(2);
  }

  /** Attack: the gateway leaves out or changes stored requests; the owner blames nobody. */
  @Test
  @Spec("W-08")
  void aGatewayThatShowsNoRequestsBlamesNoAuthority() {
    alice.pay(bob.address(), amount(10), "first");
    bench.gateway.faults.stripsRequests = true;
    Wallet again = bench.toRestore("again", words);
    ProtocolException refused = catchThrowableOfType(ProtocolException.class, again::restore);
    assertThat(refused.code()).isEqualTo(RejectionCode.NO_QUORUM);
    bench.gateway.faults.stripsRequests = false;
    assertThat(again.restore().disbelieved()).isEmpty();
    assertThat(again.balance().held()).isEqualTo(amount(990));
  }

  private static SignedStates saidFree(SignedStates truth) {
    SerialStates states = truth.states();
    return new SignedStates(
        truth.authority(),
        new SerialStates(
            states.mapVersion(),
            states.floors(),
            states.serials().stream().map(SerialStates.State::free).toList()),
        truth.signature());
  }

  /** Of an authority that the gateway claims to be another. */
  private static SignedStates signedByStranger(SignedStates truth) {
    return new SignedStates(
        truth.authority() % TestCommittee.N + 1, truth.states(), truth.signature());
  }

  private static WalletException assertInFlight(ThrowingCallable call) {
    WalletException failure = catchThrowableOfType(WalletException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.error()).isEqualTo(WalletError.TRANSFER_IN_FLIGHT);
    return failure;
  }
}
