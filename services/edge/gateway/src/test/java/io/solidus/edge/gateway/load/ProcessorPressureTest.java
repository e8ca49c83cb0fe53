package io.solidus.edge.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorPressureTest {
  @TempDir Path folder;
  private long now = 1;

  @Test
  void isTheShareOfTimeInWhichSomeTaskWaited() throws IOException {
    Path file = folder.resolve("cpu.pressure");
    write(file, 1_000_000);
    ProcessorPressure pressure =
        new ProcessorPressure(List.of(folder.resolve("absent"), file), () -> now);
    write(file, 1_050_000);
    now += TimeUnit.MILLISECONDS.toNanos(200);
    assertThat(pressure.share()).isCloseTo(0.25, Offset.offset(1e-9));
    now += TimeUnit.MILLISECONDS.toNanos(200);
    assertThat(pressure.share()).isZero();
  }

  /** The first file is the container's, and counts before the machine's. */
  @Test
  void theContainersFigureCountsBeforeTheMachines() throws IOException {
    Path container = folder.resolve("container");
    Path machine = folder.resolve("machine");
    write(container, 0);
    write(machine, 0);
    ProcessorPressure pressure = new ProcessorPressure(List.of(container, machine), () -> now);
    write(machine, 200_000);
    now += TimeUnit.MILLISECONDS.toNanos(200);
    assertThat(pressure.share()).isZero();
  }

  @Test
  void aKernelThatDoesNotCountLeavesTheUseOfProcessors() {
    ProcessorPressure pressure =
        new ProcessorPressure(List.of(folder.resolve("absent")), () -> now);
    assertThat(pressure.share()).isIn(0.0, 1.0);
  }

  private static void write(Path file, long total) throws IOException {
    Files.writeString(
        file,
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=%d%nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7%n"
            .formatted(total));
  }
}
