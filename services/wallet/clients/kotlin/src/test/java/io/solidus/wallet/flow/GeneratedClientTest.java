package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.clients.GeneratedRelay;
import io.solidus.wallet.keys.SeedPhrase;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wallet whose gateway is spoken to by the generated client only. */
@Tag("process")
class GeneratedClientTest {
  @TempDir private Path folder;

  @Test
  void registersMintsPaysReceivesAndRestores() {
    try (WalletBench bench = new WalletBench(folder);
        GeneratedRelay relay = new GeneratedRelay(bench.gateway.uri())) {
      String words = WalletBench.newPhrase();
      Wallet alice = WalletBench.registered(wallet(bench, relay, "alice", words));
      Wallet bob = WalletBench.registered(wallet(bench, relay, "bob", WalletBench.newPhrase()));
      bench.fund(alice, 50_000);
      alice.pay(bob.address(), WalletBench.amount(12_050));
      assertThat(bob.receive()).hasSize(1);
      bob.claim();
      assertThat(bob.balance().held().minor()).isEqualTo(12_050);
      WalletBench.refused(
          RejectionCode.OVER_LIMIT_TRANSFER,
          () -> alice.pay(bob.address(), WalletBench.amount(10_000_000)));

      Wallet again = wallet(bench, relay, "again", words);
      again.restore();
      assertThat(again.balance()).isEqualTo(alice.balance());

      assertThat(Set.copyOf(relay.called()))
          .contains(
              "GET /v1/info",
              "GET /v1/policy",
              "GET /v1/sanctions/checkpoint",
              "GET /v1/sanctions/checkpoints/*/list",
              "POST /v1/registrations/signatures",
              "POST /v1/mints",
              "POST /v1/transfers",
              "POST /v1/coins/state",
              "POST /v1/mailbox",
              "GET /v1/mailbox");
    }
  }

  private static Wallet wallet(WalletBench bench, GeneratedRelay relay, String name, String words) {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      return bench.create(name, phrase, bench.profile().withGateway(relay.uri()));
    }
  }
}
