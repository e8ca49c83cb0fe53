package io.solidus.dev.dishonestwallet;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.flow.WalletBench;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wallet spends its compliance coin twice. */
@Tag("process")
class DishonestWalletTest {
  @TempDir private Path folder;
  private WalletBench bench;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void oneComplianceCoinCannotBeSpentTwice() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    Wallet carol = bench.create("carol");
    try (DishonestWallet dishonest =
        DishonestWallet.open(
            bench.path("alice"), WalletBench.PASSPHRASE, bench.platform, WalletBench.OPTIONS)) {
      DishonestWallet.Outcome outcome =
          dishonest.payTwice(bob.address(), carol.address(), amount(600));
      assertThat(outcome.refusal().code()).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    }
    assertThat(bob.receive()).hasSize(1);
    assertThat(carol.receive()).isEmpty();
    Wallet alice = bench.reopen("alice");
    assertThat(alice.balance().held()).isEqualTo(amount(400));
    alice.pay(carol.address(), amount(400));
    assertThat(carol.receive()).hasSize(1);
  }
}
