package io.solidus.dev.processes;

import io.solidus.authority.spend.Failpoints.Step;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A running {@link NodeMain} in a JVM of its own. */
final class NodeProcess implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(10);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(40);
  private static final Duration TIMERS_LIMIT = Duration.ofSeconds(20);

  private final String name;
  private final Path log;
  private final Process process;
  private final Writer commands;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Map<String, Measured> measured = new ConcurrentHashMap<>();
  private volatile CompletableFuture<Map<String, Measured>> timers = new CompletableFuture<>();

  private NodeProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    Thread.ofVirtual().start(this::read);
  }

  /** Starts it and returns at once. */
  static NodeProcess launch(
      String name, Path folder, Properties properties, List<String> jvmOptions) {
    return launch(name, folder, properties, jvmOptions, System.getProperty("java.class.path"));
  }

  /**
   * @param classPath of the build it runs
   */
  static NodeProcess launch(
      String name, Path folder, Properties properties, List<String> jvmOptions, String classPath) {
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve(name + ".properties");
      try (Writer out = Files.newBufferedWriter(file)) {
        properties.store(out, null);
      }
      Path log = folder.resolve(name + ".log");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(jvmOptions);
      command.addAll(List.of("-cp", classPath, NodeMain.class.getName(), file.toString()));
      return new NodeProcess(
          name, log, new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @throws IllegalStateException when it ended, or does not serve in time; its log says why
   */
  void awaitReady() {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    try {
      while (!ready.await(100, TimeUnit.MILLISECONDS)) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw new IllegalStateException(name + " does not serve; see " + log);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Returns when it is ready or has ended.
   *
   * @return whether it is ready
   */
  boolean awaitOutcome() {
    try {
      awaitReady();
      return true;
    } catch (IllegalStateException ended) {
      if (alive()) {
        throw ended;
      }
      return false;
    }
  }

  boolean alive() {
    // not Process.isAlive, which lags behind a kill until the exit status has been read
    return process.toHandle().isAlive();
  }

  void kill() {
    Signals.kill(process.toHandle());
  }

  void freeze() {
    Signals.freeze(process.toHandle());
  }

  void thaw() {
    Signals.thaw(process.toHandle());
  }

  void pin(String processors) {
    Signals.pin(process.toHandle(), processors);
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  Path log() {
    return log;
  }

  /** Makes it die at the next passing of the failpoint. */
  void haltAt(Step step) {
    try {
      commands.write("halt " + step + "\n");
      commands.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " takes no commands", e);
    }
  }

  /** What the process measured since it started, by "name tags". */
  synchronized Map<String, Measured> timers() {
    timers = new CompletableFuture<>();
    try {
      commands.write("timers\n");
      commands.flush();
      return timers.get(TIMERS_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(name + " does not say what it measured", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * SIGTERM, as an orchestrator ends a process.
   *
   * @return whether it ended by itself in time; otherwise it was killed
   */
  boolean terminate() {
    process.destroy();
    try {
      boolean ended = process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
      if (!ended) {
        kill();
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      kill();
      return false;
    }
  }

  /** Stops it in order; kills it when that takes too long. */
  @Override
  public void close() {
    try {
      commands.close();
      if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        kill();
      }
    } catch (IOException e) {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      kill();
    }
  }

  private void read() {
    try (BufferedReader out =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Writer copy =
            Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.equals(NodeMain.READY)) {
          ready.countDown();
        } else if (line.startsWith(NodeMain.TIMER)) {
          String[] parts = line.split("\t");
          measured.put(
              (parts[1] + " " + parts[2]).strip(),
              new Measured(Long.parseLong(parts[3]), Double.parseDouble(parts[4])));
          continue;
        } else if (line.equals(NodeMain.END_OF_TIMERS)) {
          timers.complete(Map.copyOf(measured));
          continue;
        }
        copy.write(line);
        copy.write('\n');
        copy.flush();
      }
    } catch (IOException e) {
      // the process was killed while it spoke
    }
  }
}
