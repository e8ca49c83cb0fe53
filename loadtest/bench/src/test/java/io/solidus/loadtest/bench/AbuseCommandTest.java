package io.solidus.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The floods with a real committee and its gateway, shortly. What they cost is not asserted. */
@Tag("process")
class AbuseCommandTest {
  /**
   * Without eager-transfers and eager-reads, which take both processors from the tests of other
   * modules that run beside this one.
   */
  private static final List<String> FLOODS =
      List.of(
          "junk-certificates",
          "junk-transfers",
          "one-core",
          "look-ups",
          "registrations",
          "sanction-lists",
          "mailbox-posts",
          "mailbox-reads",
          "eager-posts",
          "slow-posts");

  @Test
  void floodsReachThePlatformAndPaymentsAreSigned(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("abuse.json");
    int status =
        BenchMain.commandLine()
            .execute(
                "abuse",
                "--no-pin",
                "--payments=4",
                "--flood=10",
                "--floods=" + String.join(",", FLOODS),
                "--connections=40",
                "--seconds=2",
                "--rounds=1",
                "--warm-up=3",
                "--json=" + file);
    JsonNode report = JsonMapper.shared().readTree(Files.readString(file));
    assertThat(status).isEqualTo(report.path("ok").asBoolean() ? 0 : 1);
    List<String> names = new ArrayList<>();
    for (JsonNode flood : report.path("floods")) {
      names.add(flood.path("name").asString());
      assertThat(flood.path("floodReachedItsRate").asBoolean()).as(flood.toString()).isTrue();
      assertThat(flood.path("payments").asInt()).as(flood.toString()).isEqualTo(16);
      assertThat(flood.path("notSignedAlone").asInt()).as(flood.toString()).isZero();
      assertThat(flood.path("notSignedUnder").asInt()).as(flood.toString()).isZero();
      for (String figure :
          List.of("aloneP99Millis", "underP99Millis", "ratioFrom", "ratio", "ratioTo")) {
        assertThat(flood.path(figure).asDouble()).as(flood.toString()).isPositive();
      }
    }
    assertThat(names).isEqualTo(FLOODS);
  }
}
