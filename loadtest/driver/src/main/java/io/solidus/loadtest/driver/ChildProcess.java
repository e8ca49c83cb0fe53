package io.solidus.loadtest.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process of a run, which ends with the run. */
final class ChildProcess implements AutoCloseable {
  private static final Duration STOP = Duration.ofSeconds(60);

  private final String name;
  private final Process process;
  private final Thread hook;

  private ChildProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.hook = Thread.ofPlatform().unstarted(this::kill);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a process.
   *
   * @param environment added to this process's; secrets go here, never into the arguments
   * @param output file for its output and errors; null for this process's streams
   */
  static ChildProcess start(
      String name, List<String> command, Map<String, String> environment, @Nullable Path output) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.redirectOutput(
        output == null
            ? ProcessBuilder.Redirect.INHERIT
            : ProcessBuilder.Redirect.to(output.toFile()));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    try {
      return new ChildProcess(name, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be started", e);
    }
  }

  boolean running() {
    return process.isAlive();
  }

  /**
   * Waits until the process ends.
   *
   * @param meanwhile called every second
   * @throws IllegalStateException when it exceeds the limit; it is killed then
   */
  int await(Duration limit, Runnable meanwhile) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!process.waitFor(1, TimeUnit.SECONDS)) {
      meanwhile.run();
      if (System.nanoTime() > end) {
        kill();
        throw new IllegalStateException(name + " did not finish within " + limit);
      }
    }
    return process.exitValue();
  }

  /** Processor time of the process and its living descendants so far; zero after its end. */
  Duration cpu() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(handle -> handle.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private void kill() {
    List<ProcessHandle> all =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
  }

  /** Sends SIGTERM, waits, and kills what is left. */
  @Override
  public void close() {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    } finally {
      started.forEach(ProcessHandle::destroyForcibly);
      if (!Thread.currentThread().equals(hook)) {
        unhook();
      }
    }
  }

  private void unhook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyStopping) {
      // the JVM is ending, and the hook finds the process ended
    }
  }
}
