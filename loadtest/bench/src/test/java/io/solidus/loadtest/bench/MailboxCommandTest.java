package io.solidus.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A small day of mail from the sealed message to the body that was read privately. */
class MailboxCommandTest {
  @Test
  void aWalletFindsItsMessagesByTheirHeadersAndReadsThemPrivately(@TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("mailbox.json");
    int status =
        BenchMain.commandLine()
            .execute(
                "mailbox",
                "--wallets=200",
                "--messages=1000",
                "--buckets=4",
                "--batches=1,4",
                "--rounds=1",
                "--tables=10",
                "--json=" + file);
    JsonNode report = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(status).isZero();
    assertThat(report.path("ownMessages").asInt()).isEqualTo(5);
    assertThat(report.path("ownFound").asInt()).isEqualTo(5);
    assertThat(report.path("ownRead").asInt()).isEqualTo(5);
    assertThat(report.path("retrieval")).hasSize(5);
    for (JsonNode table : report.path("retrieval")) {
      assertThat(table.path("oneServer")).as(table.toString()).hasSize(2);
      int tables = table.path("tables").asInt();
      assertThat(tables).isIn(1, 10);
      // the bits of each table begin with a byte of their own
      int each = table.path("records").asInt() / tables;
      int bytes = tables * ((each + 7) / 8);
      assertThat(table.path("bytesUp").asInt())
          .as("a share of bits, three seeds, four seals")
          .isBetween(1 + bytes + 3 * 33 + 4 * 48, 1 + bytes + tables - 1 + 3 * 33 + 4 * 48);
    }
    assertThat(report.path("schemes")).hasSize(6);
    assertThat(report.path("schemes").path(0).path("walletBytes").asLong()).isEqualTo(1_630_000);
    assertThat(report.path("schemes").path(3).path("walletBytes").asLong()).isEqualTo(250 * 34);
  }
}
