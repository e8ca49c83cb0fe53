package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.TappedWallet;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkStatus;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.store.TappedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An employer's wallet is killed in every write of its file, before and after every exchange, and
 * while a transfer has reached some authorities only. The owner pays the list again: with the file
 * as it was then, with the oldest file, and with the words. Then everybody is paid, and nobody
 * twice.
 */
@Tag("process")
@Spec("W-50")
class KilledPayManyTest {
  private static final String ID = "payroll";
  private static final int LINES = 9;
  private static final long MINTED = 5_000;
  private static final WalletOptions OPTIONS =
      WalletBench.OPTIONS.withPatience(Duration.ofMillis(200));

  @TempDir(factory = KilledWalletTest.InMemory.class)
  private Path folder;

  private final String words = WalletBench.newPhrase();
  private final List<Kill> kills = new ArrayList<>();
  private WalletBench bench;
  private List<PaymentOrder> orders;
  private final List<byte[]> payees = new ArrayList<>();
  private byte[] oldest;
  private int files;

  /** What a killed wallet leaves. */
  private record Kill(String at, byte[] file, FakeGateway.Stored services) {}

  @BeforeEach
  void open() throws IOException {
    bench = new WalletBench(folder, TestNetwork.withShapes());
    orders = new ArrayList<>();
    for (int i = 1; i <= LINES; i++) {
      Wallet person = bench.create("staff" + i);
      orders.add(new PaymentOrder(person.address(), amount(100 + i), "salary " + i));
      bench.closeWallet(person);
      payees.add(Files.readAllBytes(bench.path("staff" + i)));
    }
    bench.closeWallet(bench.funded("employer", words, MINTED));
    oldest = Files.readAllBytes(bench.path("employer"));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aListThatWasCutOffAnywhereIsPaidOnce() throws IOException {
    Path path = file(oldest);
    bench.gateway.faults.onExchange = exchange -> kill(exchange, path, 0);
    bench.gateway.faults.onTransfer = request -> halfSent(path, request);
    try (Wallet wallet = open(path, written -> kill("write", path, written))) {
      wallet.payMany(ID, orders);
    } finally {
      bench.gateway.faults.onExchange = exchange -> {};
      bench.gateway.faults.onTransfer = null;
    }
    kill("the end", path, 0);
    for (int i = 0; i < kills.size(); i++) {
      Kill kill = kills.get(i);
      goesOn(kill, kill.file());
      if (i % 4 == 0) {
        goesOn(kill, oldest);
        goesOn(kill, null);
      }
    }
    System.out.printf("%d points at which an employer's wallet was killed%n", kills.size());
    assertThat(kills).hasSizeGreaterThan(20);
  }

  private void kill(String at, Path path, int written) {
    try {
      byte[] file = Files.readAllBytes(path);
      byte[] torn = Arrays.copyOf(file, file.length - written + written / 2);
      kills.add(new Kill(at + " (" + kills.size() + ")", torn, bench.gateway.stored()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void halfSent(Path path, TransferRequest request) {
    FakeGateway.Stored before = bench.gateway.stored();
    for (int reached = 1; reached <= 3; reached++) {
      bench.gateway.committee.authority(reached).reserveOnly(request);
      kill("transfer reached " + reached, path, 0);
    }
    bench.gateway.restore(before);
  }

  private void goesOn(Kill kill, byte @Nullable [] file) {
    bench.gateway.restore(kill.services());
    try (Wallet wallet = file == null ? restored() : open(file(file), written -> {})) {
      assertThat(attempt(wallet).lines())
          .extracting(BulkLine::state)
          .containsOnly(BulkLine.State.PAID);
      assertThat(wallet.status().pendingDeliveries()).isZero();
      long paid = orders.stream().mapToLong(order -> order.amount().minor()).sum();
      assertThat(wallet.balance().total().minor()).isEqualTo(MINTED - paid);
    } catch (RuntimeException | AssertionError e) {
      fail(kill.at() + ": " + e, e);
    }
    for (int i = 0; i < LINES; i++) {
      try (Wallet person = open(file(payees.get(i)), written -> {})) {
        assertThat(person.receive())
            .as(kill.at())
            .extracting(ReceivedCoin::reference)
            .containsExactly(orders.get(i).reference());
      }
    }
  }

  /** An old copy may learn from a refusal what happened; the next call then succeeds. */
  private BulkStatus attempt(Wallet wallet) {
    try {
      return wallet.payMany(ID, orders);
    } catch (ProtocolException | WalletException e) {
      return wallet.payMany(ID, orders);
    }
  }

  private Wallet restored() {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      return Wallet.createToRestore(
          file(null), WalletBench.PASSPHRASE, phrase, bench.profile(), bench.platform, OPTIONS);
    }
  }

  private Wallet open(Path path, TappedStore.Tap tap) {
    return TappedWallet.over(
        TappedStore.open(path, WalletBench.PASSPHRASE, tap), bench.platform, OPTIONS, path);
  }

  private Path file(byte @Nullable [] content) {
    Path path = folder.resolve("copy-" + files++);
    try {
      if (content != null) {
        Files.write(path, content);
      }
      return path;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
