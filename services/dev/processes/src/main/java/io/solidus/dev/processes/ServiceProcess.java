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

/** A {@link ServiceMain} in a JVM of its own. */
final class ServiceProcess implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(10);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(40);
  private static final Duration TIMERS_LIMIT = Duration.ofSeconds(20);

  private final String name;
  private final Path log;
  private final Process process;
  private final Writer commands;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Map<String, Measurement> measured = new ConcurrentHashMap<>();
  private volatile CompletableFuture<Map<String, Measurement>> timers = new CompletableFuture<>();

  private ServiceProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    Thread.ofVirtual().start(this::read);
  }

  /**
   * Starts a process and returns at once.
   *
   * @param name of the process and of its files
   * @param classPath of the build that it runs
   * @param environment besides that of this process
   */
  static ServiceProcess launch(
      String name,
      Path folder,
      Properties properties,
      List<String> jvmOptions,
      String classPath,
      Map<String, String> environment) {
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
      command.addAll(List.of("-cp", classPath, ServiceMain.class.getName(), file.toString()));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      return new ServiceProcess(name, log, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits until the process serves.
   *
   * @throws IllegalStateException when it ended or does not serve in time; its log says why
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

  /** Waits until the process is ready or has ended; returns whether it is ready. */
  boolean awaitOutcome() {
    try {
      awaitReady();
      return true;
    } catch (IllegalStateException e) {
      if (alive()) {
        throw e;
      }
      return false;
    }
  }

  boolean alive() {
    // Process.isAlive lags behind a kill until the exit status has been read
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

  /** Ends the process when it next passes the failpoint. */
  void haltAt(Step step) {
    try {
      commands.write("halt " + step + "\n");
      commands.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " accepts no commands", e);
    }
  }

  /** The process's measurements since it started, by "name tags". */
  synchronized Map<String, Measurement> timers() {
    timers = new CompletableFuture<>();
    try {
      commands.write("timers\n");
      commands.flush();
      return timers.get(TIMERS_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(name + " does not report its measurements", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Sends SIGTERM, as an orchestrator does.
   *
   * @return whether the process ended in time; otherwise it was killed
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

  /** Asks the process to stop in order; returns at once. */
  void requestStop() {
    try {
      commands.close();
    } catch (IOException e) {
      kill();
    }
  }

  /** Stops the process in order; kills it if that takes too long. */
  @Override
  public void close() {
    requestStop();
    try {
      if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        kill();
      }
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
        if (line.equals(ServiceMain.READY)) {
          ready.countDown();
        } else if (line.startsWith(ServiceMain.TIMER)) {
          String[] parts = line.split("\t", -1);
          measured.put(
              (parts[1] + " " + parts[2]).strip(),
              new Measurement(Long.parseLong(parts[3]), Double.parseDouble(parts[4])));
          continue;
        } else if (line.equals(ServiceMain.END_OF_TIMERS)) {
          timers.complete(Map.copyOf(measured));
          continue;
        }
        copy.write(line);
        copy.write('\n');
        copy.flush();
      }
    } catch (IOException e) {
      // the process was killed while it wrote
    }
  }
}
