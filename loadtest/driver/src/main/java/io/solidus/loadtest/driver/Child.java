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

/** A process that belongs to a run: it does not outlive it. */
final class Child implements AutoCloseable {
  private static final Duration STOP = Duration.ofSeconds(60);

  private final String name;
  private final Process process;
  private final Thread hook;

  private Child(String name, Process process) {
    this.name = name;
    this.process = process;
    this.hook = Thread.ofPlatform().unstarted(this::kill);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * @param environment in addition to this process's; secrets go here and never among the arguments
   * @param output file for its output and errors, or null for this process's own
   */
  static Child start(
      String name, List<String> command, Map<String, String> environment, @Nullable Path output) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.redirectOutput(
        output == null
            ? ProcessBuilder.Redirect.INHERIT
            : ProcessBuilder.Redirect.to(output.toFile()));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    try {
      return new Child(name, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be started", e);
    }
  }

  boolean running() {
    return process.isAlive();
  }

  /**
   * Waits for its end.
   *
   * @param meanwhile is called every second
   * @throws IllegalStateException when it takes longer than the limit; it is killed then
   */
  int await(Duration limit, Runnable meanwhile) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!process.waitFor(1, TimeUnit.SECONDS)) {
      meanwhile.run();
      if (System.nanoTime() > end) {
        kill();
        throw new IllegalStateException(name + " was not done within " + limit);
      }
    }
    return process.exitValue();
  }

  /**
   * Processor time so far of the process and those it started and still has; zero when it is gone.
   */
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

  /** Asks it to stop, waits, and kills what is left. */
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
      // the hook finds nothing left to do
    }
  }
}
