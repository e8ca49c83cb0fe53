package io.solidus.dev.processes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What an operating system does to a process from outside. */
final class Signals {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Signals() {}

  /** SIGKILL to a process and all it started: nothing gets to write anything more. */
  static void kill(ProcessHandle process) {
    List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    Await.until(
        "a killed process is gone", LIMIT, () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  /**
   * Stops a process and all it started where they are; they keep their connections and say nothing.
   */
  static void freeze(ProcessHandle process) {
    send("-STOP", process);
  }

  static void thaw(ProcessHandle process) {
    send("-CONT", process);
  }

  /**
   * Binds a process and its threads to processors, e.g. "0" or "0-1"; what it starts later inherits
   * that.
   */
  static void pin(ProcessHandle process, String processors) {
    List<ProcessHandle> all = Stream.concat(Stream.of(process), process.descendants()).toList();
    for (ProcessHandle each : all) {
      run(List.of("taskset", "-a", "-c", "-p", processors, Long.toString(each.pid())));
    }
  }

  private static void send(String signal, ProcessHandle process) {
    List<String> command = new ArrayList<>(List.of("kill", signal, Long.toString(process.pid())));
    process.descendants().forEach(child -> command.add(Long.toString(child.pid())));
    run(command);
  }

  private static void run(List<String> command) {
    try {
      Process run =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!run.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || run.exitValue() != 0) {
        throw new IllegalStateException(command + " failed");
      }
    } catch (IOException e) {
      throw new IllegalStateException(command.getFirst() + " is not on this machine", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
