package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.dev.processes.FaultyMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine that loses power, and one whose clock is wrong, as a shell on them sees it. */
@Tag("process")
class FaultyMachineTest {

  @TempDir private Path folder;
  private Path data;
  private Optional<FaultyMachine> machine = Optional.empty();

  @BeforeEach
  void make() throws IOException {
    machine = FaultyMachine.make(folder.resolve("machine"));
    assumeTrue(machine.isPresent(), "SKIPPED: no C compiler, so no machine can lose power");
    data = Files.createDirectory(folder.resolve("data"));
  }

  @Test
  void keepsOfEachFileWhatWasFsynced() throws IOException, InterruptedException {
    Files.writeString(data.resolve("older"), "was there");
    run("printf one > a; sync a; printf two >> a");
    run("printf lost > b");
    run("printf all > c; sync c; printf changed | dd of=c conv=notrunc status=none");
    run("printf ' and more' >> older");
    run("printf moved > d; sync d; mv d e");
    FaultyMachine.Loss loss = machine.orElseThrow().losePower(data);
    assertThat(data.resolve("a")).hasContent("one");
    assertThat(data.resolve("b")).hasContent("");
    assertThat(data.resolve("c")).hasContent("all");
    assertThat(data.resolve("older")).hasContent("was there");
    assertThat(data.resolve("e")).hasContent("moved");
    assertThat(loss.files()).isEqualTo(4);
  }

  /** Another process makes durable what a killed one wrote. */
  @Test
  void anyProcessMayFsync() throws IOException, InterruptedException {
    run("printf early > a");
    run("sync a");
    assertThat(machine.orElseThrow().losePower(data)).isEqualTo(new FaultyMachine.Loss(0, 0));
    assertThat(data.resolve("a")).hasContent("early");
  }

  @Test
  void afterALossWhatIsLeftIsDurable() throws IOException, InterruptedException {
    run("printf one > a; sync a; printf two >> a");
    machine.orElseThrow().losePower(data);
    run("printf three >> a; sync a");
    machine.orElseThrow().losePower(data);
    assertThat(data.resolve("a")).hasContent("onethree");
  }

  @Test
  void theClockIsWrongUntilItIsSetRight() throws IOException, InterruptedException {
    for (Duration ahead :
        new Duration[] {Duration.ofHours(30), Duration.ofDays(-2), Duration.ZERO}) {
      machine.orElseThrow().setClock(ahead);
      Instant told = Instant.ofEpochSecond(Long.parseLong(run("date +%s").strip()));
      assertThat(Duration.between(Instant.now().plus(ahead), told).abs())
          .isLessThan(Duration.ofMinutes(10));
    }
  }

  private String run(String script) throws IOException, InterruptedException {
    ProcessBuilder shell =
        new ProcessBuilder("sh", "-ec", script).directory(data.toFile()).redirectErrorStream(true);
    shell.environment().putAll(machine.orElseThrow().environment());
    Process process = shell.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
