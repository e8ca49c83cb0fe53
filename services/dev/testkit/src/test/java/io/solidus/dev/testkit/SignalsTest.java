package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.processes.Signals;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class SignalsTest {

  private static Process sleeping() throws IOException {
    return new ProcessBuilder("sleep", "60").start();
  }

  /** A server's child may end between the listing of the processes and the signal. */
  @Test
  void aProcessThatHasEndedKeepsNoSignalFromTheOthers() throws Exception {
    Process ended = sleeping();
    Process running = sleeping();
    try {
      ended.destroyForcibly().waitFor();
      Signals.send("-TERM", List.of(ended.toHandle(), running.toHandle()));
      assertThat(running.waitFor(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      running.destroyForcibly();
    }
  }

  @Test
  void aSignalThatCannotBeSentIsReported() throws IOException {
    Process running = sleeping();
    try {
      List<ProcessHandle> processes = List.of(running.toHandle());
      assertThatThrownBy(() -> Signals.send("-NOSUCH", processes))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("kill -NOSUCH");
    } finally {
      running.destroyForcibly();
    }
  }
}
