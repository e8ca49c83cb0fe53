package io.solidus.wallet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError.Exit;
import io.solidus.wallet.flow.CliBench;
import io.solidus.wallet.store.PassphraseCost;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line on an unregulated network: nobody registers. */
@Tag("process")
class UnregulatedCliTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir private Path folder;
  private final CliBench bench = CliBench.unregulated();

  @AfterEach
  void close() {
    bench.close();
  }

  private String run(int expected, String store, String... args) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    WalletCli cli =
        new WalletCli(
            new Terminal(out, out, false, question -> null),
            Map.of(
                "SOLIDUS_WALLET_PASSPHRASE",
                "a passphrase of a test",
                "SOLIDUS_DEVELOPMENT_KEYS",
                bench.keysDir().toString(),
                "SOLIDUS_GATEWAY",
                bench.gateway().toString(),
                "SOLIDUS_FUNDING_TOKEN",
                "token"),
            options ->
                options
                    .withMaxMailboxDelay(Duration.ZERO)
                    .withPatience(Duration.ofMillis(1))
                    .withPassphraseCost(new PassphraseCost(8, 1, 1)));
    String[] all =
        Stream.concat(Stream.of(args), Stream.of("--store", folder.resolve(store).toString()))
            .toArray(String[]::new);
    assertThat(cli.run(all)).as(text.toString()).isEqualTo(expected);
    return text.toString();
  }

  private JsonNode json(int expected, String store, String... args) {
    return JSON.readTree(
        run(
            expected,
            store,
            Stream.concat(Stream.of(args), Stream.of("--output", "json")).toArray(String[]::new)));
  }

  @Test
  void createsMintsPaysRestoresAndWithdrawsWithoutARegistration() throws IOException {
    JsonNode created = json(Exit.OK, "alice", "create");
    assertThat(created.path("kind").asString()).isEqualTo("unregulated");
    String bob = json(Exit.OK, "bob", "create").path("address").asString();
    json(Exit.NOT_YET, "alice", "mint", "F-1", "100.00");
    bench.approveMints();
    json(Exit.OK, "alice", "mint", "F-1", "100.00");

    JsonNode paid = json(Exit.OK, "alice", "pay", bob, "12.34");
    verifiesReceipt(paid.path("core").asString(), bob);
    run(Exit.OK, "bob", "receive");
    assertThat(run(Exit.OK, "bob", "balance")).isEqualTo("Balance:   12.34 EUR in 1 coins\n");
    assertThat(run(Exit.OK, "bob", "status"))
        .contains("unregulated")
        .doesNotContain("Registration", "Period");
    assertThat(run(Exit.OK, "bob", "pay", created.path("address").asString(), "2.00"))
        .doesNotContain("Claimed");

    Path seed = folder.resolve("seed");
    Files.writeString(seed, created.path("seedPhrase").asString() + "\n");
    assertThat(run(Exit.OK, "again", "restore", "--seed-file", seed.toString()))
        .contains("1 transfers and 2 received coins found; balance 89.66 EUR")
        .doesNotContain("egistered");
    Path account = folder.resolve("account");
    Files.writeString(account, "--iban DE02120300000000202051 --account-holder \"Ada Lovelace\"\n");
    json(Exit.OK, "again", "withdraw", "50.00", "@" + account);
    assertThat(json(Exit.OK, "again", "balance").path("totalMinor").asLong()).isEqualTo(3_966);
    assertThat(json(Exit.CONFIGURATION, "again", "claim").path("error").path("code").asString())
        .isEqualTo("not-supported");
    json(Exit.CONFIGURATION, "again", "register");
    assertThat(bench.routes()).noneMatch(route -> route.contains("registrations"));
  }

  private void verifiesReceipt(String core, String payee) throws IOException {
    Path file = folder.resolve("receipt.json");
    Files.writeString(file, json(Exit.OK, "alice", "receipt", core).path("receipt").asString());
    assertThat(
            json(Exit.OK, "nobody", "verify-receipt", file.toString(), "--to", payee)
                .path("paidMinor")
                .asLong())
        .isEqualTo(1_234);
  }

  /** A gateway that calls the network regulated makes no wallet that asks to register. */
  @Test
  @Spec("W-15")
  void aNewWalletDoesNotTakeTheKindFromTheGateway() {
    bench.claimsKind("regulated");
    assertThat(json(Exit.OK, "alice", "create").path("kind").asString()).isEqualTo("unregulated");
    assertThat(json(Exit.CONFIGURATION, "alice", "receive").path("error").path("code").asString())
        .isEqualTo("network-mismatch");
  }
}
