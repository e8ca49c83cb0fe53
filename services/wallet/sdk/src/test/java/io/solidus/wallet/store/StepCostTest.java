package io.solidus.wallet.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Origin;
import io.solidus.wallet.Samples;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.WalletState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a step of a wallet costs beside a long history. Prints the time of a step for {@code
 * -Dsolidus.wallet.receipts} receipts, 100,000 unless told.
 */
class StepCostTest {
  private static final int RECEIPTS = Integer.getInteger("solidus.wallet.receipts", 100_000);
  private static final int STEPS = 41;

  @TempDir private Path folder;

  @Test
  void aStepDoesNotWriteTheHistoryAgain() throws IOException {
    long shortest = costOf(10);
    long longest = costOf(RECEIPTS);
    assertThat(longest).as("bytes of a step").isLessThan(2 * shortest + 1024);
  }

  /** Bytes that a step adds to the file or writes anew. */
  private long costOf(int receipts) throws IOException {
    Path path = folder.resolve(receipts + ".sld");
    long cost = steps(path, receipts);
    long start = System.nanoTime();
    try (WalletStore store = WalletStore.open(path, "passphrase".toCharArray())) {
      assertThat(store.state().receivedCoins()).hasSize(receipts + STEPS);
    }
    System.out.printf("its opening takes %.0f ms%n", (System.nanoTime() - start) / 1e6);
    return cost;
  }

  private static long steps(Path path, int receipts) throws IOException {
    try (SeedPhrase phrase = SeedPhrase.ofEntropy(new byte[32]);
        WalletStore store =
            WalletStore.create(
                path,
                "passphrase".toCharArray(),
                WalletStoreTest.CHEAP,
                phrase,
                WalletState.empty(Samples.profile()))) {
      store.update(edit -> {
        for (int i = 0; i < receipts; i++) {
          edit.accept(Samples.coin(1), received(i));
        }
        edit.coins.clear();
      });
      long before = Files.size(path);
      Object file = fileKey(path);
      long[] nanos = new long[STEPS];
      for (int i = 0; i < STEPS; i++) {
        int step = i;
        long start = System.nanoTime();
        store.update(edit -> {
          edit.accept(Samples.coin(1), received(receipts + step));
          edit.coins.clear();
          edit.mailboxCursor = new MailboxCursor(step + 1, Digest32.sha256());
        });
        nanos[i] = System.nanoTime() - start;
      }
      Arrays.sort(nanos);
      System.out.printf(
          "%,d receipts: a step takes %.2f ms (median), %.2f ms (longest of %d); the file has"
              + " %,d bytes%n",
          receipts, nanos[STEPS / 2] / 1e6, nanos[STEPS - 1] / 1e6, STEPS, Files.size(path));
      boolean replaced = !file.equals(fileKey(path));
      return replaced ? Files.size(path) : (Files.size(path) - before) / STEPS;
    }
  }

  private static Object fileKey(Path path) throws IOException {
    return Files.getAttribute(path, "unix:ino");
  }

  private static ReceivedCoin received(int i) {
    return new ReceivedCoin(
        Origin.PAYMENT, new Amount(100), Samples.field(1_000_000L + i), i, "invoice " + i);
  }
}
