package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recover is cut off before and after its exchanges. The owner goes on with the file that is
 * left, with the other device, or with the words, and always has the same money. With {@code
 * -Dsolidus.wallet.kills=all} after every exchange and in all three ways, without it in turn.
 */
@Tag("process")
@Spec("W-10")
class CutOffRecoverTest {
  private static final boolean ALL = "all".equals(System.getProperty("solidus.wallet.kills"));
  private static final int STEP = 5;
  private static final long LEFT = 6_300 - 500;

  private enum Way {
    FILE,
    OTHER_DEVICE,
    WORDS
  }

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet bob;
  private int files;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bob = bench.registered("bob");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Two of four authorities have the payment of the phone, two that of the laptop. */
  private void lock() {
    bench.twoDevices(words);
    Wallet phone = bench.device("phone", bob);
    Wallet laptop = bench.device("laptop", bob);
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    bench.closeWallet(phone);
    bench.closeWallet(laptop);
  }

  @Test
  void aRecoverThatIsCutOffAnywhereGoesOn() throws IOException {
    lock();
    FakeGateway.Stored locked = bench.gateway.stored();
    int exchanges = recoverUntil(copyOf("phone"), Integer.MAX_VALUE);
    for (int cut = 0; cut <= exchanges; cut += ALL ? 1 : STEP) {
      List<Way> ways = List.of(Way.values());
      for (Way way : ALL ? ways : List.of(ways.get(cut / STEP % ways.size()))) {
        bench.gateway.restore(locked);
        String name = copyOf("phone");
        recoverUntil(name, cut);
        try {
          goOn(way, name);
        } catch (ProtocolException | WalletException | AssertionError e) {
          fail("cut off after " + cut + " exchanges, goes on with " + way + ": " + e, e);
        }
      }
    }
  }

  /** Recovers, and loses the network after so many exchanges; returns how many there were. */
  private int recoverUntil(String name, int cut) {
    AtomicInteger exchanges = new AtomicInteger();
    bench.gateway.faults.onExchange =
        exchange -> {
          if (exchanges.getAndIncrement() >= cut) {
            throw new ProtocolException(RejectionCode.UNAVAILABLE, "cut off");
          }
        };
    Wallet wallet = bench.reopen(name, WalletBench.IMPATIENT);
    try {
      wallet.recover();
    } catch (ProtocolException | WalletException e) {
      assertThat(exchanges.get()).as("nothing else refuses: %s", e).isGreaterThan(cut);
    } finally {
      bench.gateway.faults.onExchange = exchange -> {};
      bench.closeWallet(wallet);
    }
    return exchanges.get();
  }

  private void goOn(Way way, String name) throws IOException {
    Wallet wallet =
        switch (way) {
          case FILE -> bench.reopen(name, WalletBench.IMPATIENT);
          case OTHER_DEVICE -> bench.reopen(copyOf("laptop"), WalletBench.IMPATIENT);
          case WORDS -> bench.toRestore("restored-" + files++, words);
        };
    try {
      wallet.recover();
      assertThat(wallet.balance().total()).isEqualTo(amount(LEFT));
      assertThat(wallet.status().transferInFlight()).isFalse();
      assertThat(wallet.status().restoring()).isFalse();
      wallet.pay(bob.address(), amount(30));
      assertThat(wallet.balance().total()).isEqualTo(amount(LEFT - 30));
    } finally {
      bench.closeWallet(wallet);
    }
  }

  private String copyOf(String name) throws IOException {
    String copy = "copy-" + files++;
    Files.copy(bench.path(name), bench.path(copy));
    return copy;
  }
}
