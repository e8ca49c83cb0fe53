package io.solidus.edge.gateway.load;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * For how long work waits for processors. Linux counts the time in which some task of a group was
 * ready and did not run, as <a href="https://docs.kernel.org/accounting/psi.html">pressure stall
 * information</a>. In a container that has what its limit and its neighbours take, which the use of
 * processors does not tell. Where the kernel does not count, no free processor stands for waiting.
 */
final class ProcessorPressure implements Precedence.Pressure {
  /** Of the container, else of the machine. */
  private static final List<Path> FILES =
      List.of(Path.of("/sys/fs/cgroup/cpu.pressure"), Path.of("/proc/pressure/cpu"));

  /** Microseconds in which some task waited, since the start of the machine or container. */
  private static final Pattern TOTAL = Pattern.compile("some .* total=([0-9]{1,18})\\s");

  private static final double ALL = 0.9;

  private final List<Path> files;
  private final LongSupplier nanos;
  private long waitedMicros;
  private long at;

  ProcessorPressure() {
    this(FILES, System::nanoTime);
  }

  /**
   * @param files with the kernel's figures, the best first
   */
  ProcessorPressure(List<Path> files, LongSupplier nanos) {
    this.files = files;
    this.nanos = nanos;
    this.at = nanos.getAsLong();
    this.waitedMicros = waitedMicros().orElse(0);
  }

  @Override
  public synchronized double share() {
    long now = nanos.getAsLong();
    OptionalLong total = waitedMicros();
    if (total.isEmpty()) {
      return use() >= ALL ? 1 : 0;
    }
    double share =
        (double) TimeUnit.MICROSECONDS.toNanos(total.getAsLong() - waitedMicros)
            / Math.max(1, now - at);
    at = now;
    waitedMicros = total.getAsLong();
    return share;
  }

  private OptionalLong waitedMicros() {
    return files.stream()
        .map(ProcessorPressure::read)
        .map(TOTAL::matcher)
        .filter(Matcher::find)
        .mapToLong(total -> Long.parseLong(total.group(1)))
        .findFirst();
  }

  /** Empty where there is no such file, and where the kernel was told not to count. */
  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  /** Of the container's processors; negative when the system does not know. */
  private static double use() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
  }
}
