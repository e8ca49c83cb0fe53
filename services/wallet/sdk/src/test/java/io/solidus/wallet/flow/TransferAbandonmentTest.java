package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.Balance;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transfers whose rules expired while no authority could be reached. They are given up if and only
 * if no authority holds them.
 */
@Tag("process")
class TransferAbandonmentTest {
  private static final Period NEXT = new Period(202612);

  @TempDir private Path folder;
  private WalletBench bench;
  private Wallet alice;
  private Wallet bob;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.closeWallet(bench.funded("alice", 1_000));
    bob = bench.create("bob");
    alice = bench.reopen("alice", WalletBench.IMPATIENT);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Sends a transfer whose request is lost, except for what {@code reached} does with it. */
  private void inFlight(ThrowingCallable send, Consumer<TransferRequest> reached) {
    bench.gateway.faults.onTransfer = reached;
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    assertInFlight(send);
    bench.gateway.faults.lostRequests.set(0);
    bench.gateway.faults.onTransfer = null;
  }

  private TransferStatement sent(int index) {
    return bench.gateway.transfers.get(index).statement();
  }

  private TransferStatement last() {
    return bench.gateway.transfers.getLast().statement();
  }

  private List<TxCore> abandoned(Wallet wallet) {
    return wallet.history().stream()
        .filter(item -> item.kind() == HistoryItem.Kind.ABANDONED)
        .map(HistoryItem::core)
        .toList();
  }

  @Test
  @Spec("W-03")
  void anEndedPeriodDoesNotLockTheBalance() {
    inFlight(() -> alice.pay(bob.address(), amount(10), "first"), request -> {});
    bench.gateway.rules.period(NEXT);
    bench.closeWallet(alice);
    Wallet reopened = bench.reopen("alice");

    reopened.pay(bob.address(), amount(20), "second");
    assertThat(bob.receive())
        .singleElement()
        .satisfies(r -> assertThat(r.reference()).isEqualTo("second"));
    assertThat(reopened.balance()).isEqualTo(new Balance(amount(980), amount(0), 0));
    assertThat(reopened.history())
        .filteredOn(item -> item.kind() == HistoryItem.Kind.ABANDONED)
        .singleElement()
        .satisfies(item -> {
          assertThat(item.core()).isEqualTo(sent(0).core(TestCommittee.NETWORK));
          assertThat(item.amount()).isEqualTo(amount(10));
          assertThat(item.reference()).isEqualTo("first");
        });
    assertThat(last().leadSerial()).isEqualTo(sent(0).leadSerial());
    assertShareNoSecret(sent(0), last());
    bench.closeWallet(reopened);
    HistoryCheck.requireOpens(bench.path("alice"));
  }

  @Test
  void aPayeeListedMeanwhileDoesNotLockTheBalance() {
    Wallet carol = bench.create("carol");
    inFlight(() -> alice.pay(carol.address(), amount(10)), request -> {});
    bench.gateway.rules.sanction(carol.address().apk());
    assertThat(alice.settle()).isEmpty();
    assertThat(alice.status().transferInFlight()).isFalse();
    assertThat(alice.balance()).isEqualTo(new Balance(amount(0), amount(1_000), 1));
    assertThat(abandoned(alice)).containsExactly(sent(0).core(TestCommittee.NETWORK));
    alice.pay(bob.address(), amount(990));
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void limitsLoweredMeanwhileDoNotLockTheBalance() {
    inFlight(() -> alice.pay(bob.address(), amount(600)), request -> {});
    bench.gateway.rules.policy(500, 500_000, 1_000_000, 50);
    assertThat(alice.settle()).isEmpty();
    inFlight(alice::claim, request -> {});
    bench.gateway.rules.policy(500, 500_000, 800, 50);
    assertThat(alice.settle()).isEmpty();
    assertThat(abandoned(alice)).hasSize(2).doesNotHaveDuplicates();
    assertThat(alice.pay(bob.address(), amount(300)).claimed()).isEqualTo(amount(1_000));
    assertThat(alice.balance().held()).isEqualTo(amount(700));
  }

  @Test
  void theRefusalTellsThatTheTransferWasGivenUp() {
    bench.gateway.faults.onTransfer =
        request -> {
          if (bench.gateway.rules.policy().version() == 1) {
            bench.gateway.rules.policy(5, 500_000, 1_000_000, 50);
          }
        };
    Wallet patient = patient();
    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> patient.pay(bob.address(), amount(10)));
    assertThat(refused.code()).isEqualTo(RejectionCode.OVER_LIMIT_TRANSFER);
    assertThat(refused.detail())
        .contains("was given up", sent(0).core(TestCommittee.NETWORK).hex());
    assertThat(patient.pay(bob.address(), amount(5)).paid()).isEqualTo(amount(5));
  }

  @Test
  @Spec({"W-03", "V-12"})
  void aTransferThatOneAuthorityHoldsIsGivenUp() {
    inFlight(
        () -> alice.pay(bob.address(), amount(10), "first"),
        request -> bench.gateway.committee.authority(2).reserveOnly(request));
    bench.gateway.rules.period(NEXT);
    Wallet patient = patient();
    assertThat(patient.settle()).isEmpty();
    patient.pay(bob.address(), amount(20), "second");
    patient.pay(bob.address(), amount(30), "third");
    assertThat(bob.receive().stream().map(r -> r.reference())).containsExactly("second", "third");
    assertThat(patient.balance().total()).isEqualTo(amount(950));
  }

  @Test
  @Spec({"W-03", "V-12"})
  void aTransferThatTwoAuthoritiesHoldIsNotGivenUp() {
    inFlight(
        () -> alice.pay(bob.address(), amount(10), "first"),
        request ->
            List.of(2, 3).forEach(i -> bench.gateway.committee.authority(i).reserveOnly(request)));
    bench.gateway.rules.period(NEXT);
    Wallet patient = patient();
    WalletException waits = assertInFlight(() -> patient.pay(bob.address(), amount(20), "second"));
    assertThat(waits)
        .hasMessageContaining(sent(0).core(TestCommittee.NETWORK).hex())
        .hasMessageContaining("stale-period");
    assertInFlight(patient::settle);
    assertThat(abandoned(patient)).isEmpty();

    bench.gateway.rules.period(FakeRules.PERIOD);
    patient.pay(bob.address(), amount(20), "second");
    assertThat(bob.receive().stream().map(r -> r.reference())).containsExactly("first", "second");
  }

  @Test
  void withoutALookUpATransferIsNotGivenUp() {
    inFlight(() -> alice.pay(bob.address(), amount(10)), request -> {});
    bench.gateway.rules.period(NEXT);
    bench.gateway.faults.coinStatesDown = true;
    Wallet patient = patient();
    assertInFlight(patient::settle);
    assertThat(patient.status().transferInFlight()).isTrue();
    bench.gateway.faults.coinStatesDown = false;
    assertThat(patient.settle()).isEmpty();
    assertThat(patient.status().transferInFlight()).isFalse();
  }

  /** Attack: all authorities hold the transfer, and the gateway says that its coin is free. */
  @Test
  @Spec("W-09")
  void aGatewayThatHidesSpentCoinsCanOnlyDelay() {
    inFlight(
        () -> alice.pay(bob.address(), amount(10), "first"),
        request ->
            List.of(1, 2, 3, 4)
                .forEach(i -> bench.gateway.committee.authority(i).reserveOnly(request)));
    bench.gateway.rules.period(NEXT);
    bench.gateway.faults.hidesSpentCoins = true;
    Wallet patient = patient();
    assertInFlight(() -> patient.pay(bob.address(), amount(20), "second"));
    assertThat(abandoned(patient)).isEmpty();

    bench.gateway.faults.hidesSpentCoins = false;
    assertInFlight(patient::settle); // as before the lie
    bench.gateway.rules.period(FakeRules.PERIOD);
    assertThat(patient.settle()).isPresent();
    assertThat(bob.receive())
        .singleElement()
        .satisfies(r -> assertThat(r.reference()).isEqualTo("first"));
    assertThat(patient.balance().held()).isEqualTo(amount(990));
    assertThat(bench.gateway.transfers)
        .extracting(TransferRequest::statement)
        .containsOnly(sent(0));
  }

  private Wallet patient() {
    bench.closeWallet(alice);
    return bench.reopen("alice");
  }

  private static void assertShareNoSecret(TransferStatement one, TransferStatement other) {
    Set<Object> seen = new HashSet<>();
    for (TransferStatement statement : List.of(one, other)) {
      statement
          .outputs()
          .forEach(coin -> {
            seen.add(coin.cm());
            seen.add(coin.k());
          });
    }
    assertThat(seen).hasSize(8);
    assertThat(one.serials().get(2)).isNotEqualTo(other.serials().get(2)); // the dummies
  }

  private static WalletException assertInFlight(ThrowingCallable call) {
    WalletException failure = catchThrowableOfType(WalletException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.error()).isEqualTo(WalletError.TRANSFER_IN_FLIGHT);
    return failure;
  }
}
