package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.example.WalletExample;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.model.WalletProfile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program of docs/how-to/write-a-wallet.md prints on a network in memory the lines that the
 * page shows from a sandbox. The proofs are stubs here.
 */
@Tag("process")
class WalletExampleTest {
  private static final Path PAGE = Path.of("..", "..", "..", "docs", "how-to", "write-a-wallet.md");

  @TempDir private Path folder;

  @Test
  void printsWhatThePageShows() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (WalletBench bench = new WalletBench(folder);
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      FakeGateway gateway = bench.gateway;
      TestCommittee committee = TestCommittee.regulated();
      WalletProfile profile =
          WalletExample.pin(
              gateway.uri(),
              committee.keysDir(),
              committee.manifestKey(),
              Set.of(KeyClass.DEVELOPMENT));
      byte[] prover = gateway.proverKey.publicKey().bytes();
      new WalletExample(
              folder,
              profile,
              bench.platform,
              WalletBench.OPTIONS,
              prover,
              new FakeBank(gateway),
              out)
          .tell(person("Alice"), person("Bob"));
      assertThat(gateway.routes).contains("POST /v1/proofs");
      assertThat(gateway.mint.redeemedMinor()).isEqualTo(10_000);
    }
    assertThat(withoutRandomParts(printed.toString(StandardCharsets.UTF_8)))
        .isEqualTo(withoutRandomParts(shown()));
  }

  /** The lines below the command on the page, without the line about the wallet files. */
  private static String shown() throws IOException {
    String page = Files.readString(PAGE);
    String command = "$ ./solidus example\n";
    int start = page.indexOf(command) + command.length();
    assertThat(page).contains(command);
    return page.substring(start, page.indexOf("```", start))
        .replaceFirst("(?m)^wallet files: .*\\R", "");
  }

  /** The lines without addresses and network names, which differ between runs. */
  private static List<String> withoutRandomParts(String text) {
    return text.lines()
        .map(line ->
            line.replaceAll("sld1\\w+", "ADDRESS").replaceAll("network \\S+:", "network NAME:"))
        .toList();
  }

  private static Person person(String name) {
    return new Person(name, "Example", LocalDate.of(1990, 5, 17), "FR", name);
  }

  private record FakeBank(FakeGateway gateway) implements WalletExample.Bank {
    FakeBank {
      gateway.approveRegistrations(false);
    }

    /** Approves the open cases; later ones wait. */
    @Override
    public void decideRegistrations() {
      gateway.approveOpenRegistrations();
    }

    @Override
    public WalletExample.Funding fund(Amount amount) {
      return new WalletExample.Funding("funding", "token");
    }

    @Override
    public void approveMints() {
      gateway.mint.approveAll();
    }
  }
}
