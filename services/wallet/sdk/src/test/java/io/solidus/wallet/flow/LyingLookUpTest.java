package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.session.Restorer;
import io.solidus.wallet.session.WalletOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One authority of four lies about the wallet's coins, and the wallet comes back from its phrase
 * all the same.
 */
@Spec("W-08")
class LyingLookUpTest {
  private static final WalletOptions IMPATIENT =
      WalletBench.OPTIONS.withPatience(Duration.ofMillis(1));

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet bob;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.closeWallet(bench.funded("alice", words, 1_000));
    bob = bench.create("bob");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void alicePays(long... minor) {
    Wallet alice = bench.reopen("alice");
    for (long value : minor) {
      alice.pay(bob.address(), amount(value));
    }
    bench.closeWallet(alice);
  }

  private void says(
      int liar,
      BiFunction<SerialNumber, Optional<TransferRequest>, Optional<TransferRequest>> lie) {
    bench.gateway.faults.lookUps.put(liar, lie);
  }

  private Restorer.Restored restored(long held) {
    Wallet again = bench.restored("alice-again", words);
    Restorer.Restored restored = again.restore();
    assertThat(again.balance().held()).isEqualTo(amount(held));
    assertThat(again.status().transferInFlight()).isFalse();
    again.pay(bob.address(), amount(1));
    assertThat(again.balance().held()).isEqualTo(amount(held - 1));
    return restored;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aForeignRequestForAnUnspentCoinStopsNobody(int liar) {
    alicePays(100, 200);
    says(
        liar,
        (lead, truth) ->
            Optional.of(ForeignTransfers.about(lead, bench.gateway.transfers.getFirst())));
    Restorer.Restored restored = restored(700);
    assertThat(restored.transfers()).isEqualTo(2);
    assertThat(restored.disbelieved()).containsExactly(liar);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aSpentCoinCalledUnspentIsStillFound(int liar) {
    alicePays(100, 200);
    says(liar, (lead, truth) -> Optional.empty());
    assertThat(restored(700).transfers()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void theRightRequestAlteredIsNotTaken(int liar) {
    alicePays(100, 200);
    says(liar, (lead, truth) -> truth.map(ForeignTransfers::redirected));
    Restorer.Restored restored = restored(700);
    assertThat(restored.transfers()).isEqualTo(2);
    assertThat(restored.disbelieved()).containsExactly(liar);
  }

  @Test
  void withOneAuthorityAwayAndNoneToSpareTheRestAreEnough() {
    alicePays(100);
    bench.gateway.committee.authority(4).up(false);
    assertThat(restored(900).transfers()).isEqualTo(1);
  }

  /**
   * An authority missed the transfer and wants evidence for it; the first that is shown is spoilt.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void spoiltEvidenceIsPassedOver(int liar) {
    bench.gateway.committee.authority(4).up(false);
    alicePays(100);
    bench.gateway.committee.authority(4).up(true);
    bench.gateway.committee.authority(3).up(false);
    says(liar, (lead, truth) -> truth.map(ForeignTransfers::spoilt));
    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(amount(900));
  }

  /**
   * It reached a liar only, who keeps it and spoils its proof: the wallet makes another and
   * finishes what it had begun.
   */
  @Test
  void aTransferThatOnlyALiarHoldsIsProvedAnew() {
    TxCore core = inFlight(request -> bench.gateway.committee.authority(2).reserveOnly(request));
    says(2, (lead, truth) -> truth.map(ForeignTransfers::spoilt));
    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(amount(990));
    assertThat(bench.gateway.transfers.getLast().statement().core(TestKeys.NETWORK))
        .isEqualTo(core);
    assertThat(bob.receive()).hasSize(1);
  }

  /**
   * The liar alone had taken a transfer that was then given up; it shows that one, which is the
   * wallet's own.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aTransferThatWasGivenUpDoesNotComeBackInPlaceOfTheOneThatWasSigned(int liar) {
    inFlight(request -> {});
    TransferRequest givenUp = bench.gateway.transfers.getFirst();
    bench.gateway.rules.period(new Period(202612));
    Wallet alice = bench.reopen("alice");
    assertThat(alice.settle()).isEmpty();
    alice.pay(bob.address(), amount(20));
    bench.closeWallet(alice);
    SerialNumber lead = givenUp.statement().leadSerial();
    says(liar, (asked, truth) -> asked.equals(lead) ? Optional.of(givenUp) : truth);
    Restorer.Restored restored = restored(980);
    assertThat(restored.transfers()).isEqualTo(1);
  }

  /**
   * As far as the wallet is told most authorities hold the given-up one, so it is tried first: it
   * meets a conflict, or its rules have run out, and the wallet takes the other.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTwoTransfersOutOfOneCoinTheSignedOneIsFoundByTrying(boolean conflict) {
    inFlight(request -> {});
    TransferRequest givenUp = bench.gateway.transfers.getFirst();
    bench.gateway.rules.policy(5, 500_000, 1_000_000, 50);
    Wallet alice = bench.reopen("alice");
    assertThat(alice.settle()).isEmpty();
    alice.pay(bob.address(), amount(5), "second");
    bench.closeWallet(alice);
    SerialNumber lead = givenUp.statement().leadSerial();
    for (int liar : List.of(1, 2, 3)) {
      says(liar, (asked, truth) -> asked.equals(lead) ? Optional.of(givenUp) : truth);
    }
    if (conflict) {
      bench.gateway.rules.policy(100_000, 500_000, 1_000_000, 50);
    }
    assertThat(restored(995).transfers()).isEqualTo(1);
  }

  @Test
  void aForeignRequestDoesNotKeepTheWalletFromGivingUp() {
    inFlight(request -> {});
    bench.gateway.rules.period(new Period(202612));
    says(3, (lead, truth) -> Optional.of(ForeignTransfers.about(lead)));
    Wallet alice = bench.reopen("alice");
    assertThat(alice.settle()).isEmpty();
    assertThat(alice.status().transferInFlight()).isFalse();
  }

  @Test
  void inDoubtTheWalletRefusesAndCanBeAskedAgain() {
    alicePays(100);
    bench.gateway.committee.authority(4).up(false);
    says(1, (lead, truth) -> truth.or(() -> Optional.of(ForeignTransfers.about(lead))));
    Wallet again = bench.restored("alice-again", words);
    ProtocolException refused = catchThrowableOfType(ProtocolException.class, again::restore);
    assertThat(refused.code()).isEqualTo(RejectionCode.NO_QUORUM);
    assertThat(refused.code().retryable()).isTrue();
    bench.gateway.committee.authority(4).up(true);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(amount(900));
  }

  private TxCore inFlight(Consumer<TransferRequest> reached) {
    Wallet alice = bench.reopen("alice", IMPATIENT);
    bench.gateway.faults.onTransfer = reached;
    bench.gateway.faults.lostRequests = Integer.MAX_VALUE;
    WalletException failure =
        catchThrowableOfType(WalletException.class, () -> alice.pay(bob.address(), amount(10)));
    assertThat(failure.error()).isEqualTo(WalletError.TRANSFER_IN_FLIGHT);
    bench.gateway.faults.lostRequests = 0;
    bench.gateway.faults.onTransfer = null;
    bench.closeWallet(alice);
    return bench.gateway.transfers.getFirst().statement().core(TestKeys.NETWORK);
  }
}
