package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
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
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wallet is restored from its phrase although one authority of four lies about its coins. */
@Tag("process")
@Spec("W-08")
class LyingCoinStateTest {

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

  private void lie(
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
  void aForeignRequestForAnUnspentCoinIsIgnored(int liar) {
    alicePays(100, 200);
    lie(
        liar,
        (lead, truth) ->
            Optional.of(ForeignTransfers.about(lead, bench.gateway.transfers.getFirst())));
    Restorer.Restored restored = restored(700);
    assertThat(restored.transfers()).isEqualTo(2);
    assertThat(restored.disbelieved()).containsExactly(liar);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aSpentCoinReportedAsUnspentIsFound(int liar) {
    alicePays(100, 200);
    lie(liar, (lead, truth) -> Optional.empty());
    assertThat(restored(700).transfers()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void anAlteredRequestIsIgnored(int liar) {
    alicePays(100, 200);
    lie(liar, (lead, truth) -> truth.map(ForeignTransfers::redirected));
    Restorer.Restored restored = restored(700);
    assertThat(restored.transfers()).isEqualTo(2);
    assertThat(restored.disbelieved()).containsExactly(liar);
  }

  @Test
  void threeAuthoritiesAreEnough() {
    alicePays(100);
    bench.gateway.committee.authority(4).up(false);
    assertThat(restored(900).transfers()).isEqualTo(1);
  }

  /**
   * An authority missed the transfer and needs valid evidence; the first returned evidence is
   * invalid.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void invalidEvidenceIsSkipped(int liar) {
    bench.gateway.committee.authority(4).up(false);
    alicePays(100);
    bench.gateway.committee.authority(4).up(true);
    bench.gateway.committee.authority(3).up(false);
    lie(liar, (lead, truth) -> truth.map(ForeignTransfers::withInvalidProof));
    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(amount(900));
  }

  /**
   * The transfer reached only a lying authority, which returns it with an invalid proof: the wallet
   * makes a new proof and finishes the transfer.
   */
  @Test
  void aTransferThatOnlyALiarHoldsIsProvedAgain() {
    TxCore core = inFlight(request -> bench.gateway.committee.authority(2).reserveOnly(request));
    lie(2, (lead, truth) -> truth.map(ForeignTransfers::withInvalidProof));
    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(amount(990));
    assertThat(bench.gateway.transfers.getLast().statement().core(TestCommittee.NETWORK))
        .isEqualTo(core);
    assertThat(bob.receive()).hasSize(1);
  }

  /** The attack: so many made-up signatures that no gateway takes the request again. */
  @Test
  @Spec("V-41")
  void noMoreSignaturesAreSentThanFinishATransfer() {
    inFlight(request -> bench.gateway.committee.authority(2).reserveOnly(request));
    lie(2, (lead, truth) -> truth.map(ForeignTransfers::withSignaturesOfAll));
    int before = bench.gateway.transfers.size();
    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(amount(990));
    assertThat(bench.gateway.transfers.subList(before, bench.gateway.transfers.size()))
        .isNotEmpty()
        .allMatch(request -> request.certificate().isEmpty());
  }

  /** Only the lying authority holds a transfer of this wallet that was given up, and returns it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void anAbandonedTransferDoesNotReplaceTheSignedOne(int liar) {
    inFlight(request -> {});
    TransferRequest abandoned = bench.gateway.transfers.getFirst();
    bench.gateway.rules.period(new Period(202612));
    Wallet alice = bench.reopen("alice");
    assertThat(alice.settle()).isEmpty();
    alice.pay(bob.address(), amount(20));
    bench.closeWallet(alice);
    SerialNumber lead = abandoned.statement().leadSerial();
    lie(liar, (asked, truth) -> asked.equals(lead) ? Optional.of(abandoned) : truth);
    Restorer.Restored restored = restored(980);
    assertThat(restored.transfers()).isEqualTo(1);
  }

  /**
   * Most authorities seem to hold the abandoned transfer, so the wallet tries it first. It gets a
   * serial conflict, or its rules have expired, and the wallet takes the other transfer.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTwoTransfersFromOneCoinTheSignedOneIsFound(boolean conflict) {
    inFlight(request -> {});
    TransferRequest abandoned = bench.gateway.transfers.getFirst();
    bench.gateway.rules.policy(5, 500_000, 1_000_000, 50);
    Wallet alice = bench.reopen("alice");
    assertThat(alice.settle()).isEmpty();
    alice.pay(bob.address(), amount(5), "second");
    bench.closeWallet(alice);
    SerialNumber lead = abandoned.statement().leadSerial();
    for (int liar : List.of(1, 2, 3)) {
      lie(liar, (asked, truth) -> asked.equals(lead) ? Optional.of(abandoned) : truth);
    }
    if (conflict) {
      bench.gateway.rules.policy(100_000, 500_000, 1_000_000, 50);
    }
    assertThat(restored(995).transfers()).isEqualTo(1);
  }

  @Test
  void aForeignRequestDoesNotPreventAbandonment() {
    inFlight(request -> {});
    bench.gateway.rules.period(new Period(202612));
    lie(3, (lead, truth) -> Optional.of(ForeignTransfers.about(lead)));
    Wallet alice = bench.reopen("alice");
    assertThat(alice.settle()).isEmpty();
    assertThat(alice.status().transferInFlight()).isFalse();
  }

  @Test
  void anUndecidedRestoreIsRefusedAndCanBeRepeated() {
    alicePays(100);
    bench.gateway.committee.authority(4).up(false);
    lie(1, (lead, truth) -> truth.or(() -> Optional.of(ForeignTransfers.about(lead))));
    Wallet again = bench.restored("alice-again", words);
    ProtocolException refused = catchThrowableOfType(ProtocolException.class, again::restore);
    assertThat(refused.code()).isEqualTo(RejectionCode.NO_QUORUM);
    assertThat(refused.code().retryable()).isTrue();
    bench.gateway.committee.authority(4).up(true);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(amount(900));
  }

  private TxCore inFlight(Consumer<TransferRequest> reached) {
    Wallet alice = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.gateway.faults.onTransfer = reached;
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    WalletException failure =
        catchThrowableOfType(WalletException.class, () -> alice.pay(bob.address(), amount(10)));
    assertThat(failure.error()).isEqualTo(WalletError.TRANSFER_IN_FLIGHT);
    bench.gateway.faults.lostRequests.set(0);
    bench.gateway.faults.onTransfer = null;
    bench.closeWallet(alice);
    return bench.gateway.transfers.getFirst().statement().core(TestCommittee.NETWORK);
  }
}
