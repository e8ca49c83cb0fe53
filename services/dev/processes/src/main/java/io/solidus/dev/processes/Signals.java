package io.solidus.dev.processes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Signals and processor bindings of other processes. */
public final class Signals {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Signals() {}

  /** SIGKILL to a process and all its descendants; returns when all are gone. */
  static void kill(ProcessHandle process) {
    List<ProcessHandle> all = withDescendants(process);
    all.forEach(ProcessHandle::destroyForcibly);
    Await.until(
        "a killed process is gone", LIMIT, () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** SIGINT to one process. */
  static void interrupt(ProcessHandle process) {
    send("-INT", List.of(process));
  }

  /** Stops a process and its descendants where they are; their connections stay open. */
  static void freeze(ProcessHandle process) {
    send("-STOP", withDescendants(process));
  }

  static void thaw(ProcessHandle process) {
    send("-CONT", withDescendants(process));
  }

  /**
   * Binds a process, its threads and its descendants to processors; what they start later inherits
   * the binding.
   *
   * @param processors e.g. "0" or "0-1"
   */
  public static void pin(ProcessHandle process, String processors) {
    for (ProcessHandle each : withDescendants(process)) {
      List<String> bind =
          List.of("taskset", "-a", "-c", "-p", processors, Long.toString(each.pid()));
      if (!succeeds(bind) && each.isAlive()) {
        throw failed(bind);
      }
    }
  }

  private static List<ProcessHandle> withDescendants(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants()).toList();
  }

  /** Sends a signal to these processes, except those that have ended. */
  public static void send(String signal, List<ProcessHandle> processes) {
    List<ProcessHandle> left = processes;
    // kill signals all that are there, and fails when one is not
    while (!left.isEmpty() && !succeeds(command(signal, left))) {
      List<ProcessHandle> alive = left.stream().filter(ProcessHandle::isAlive).toList();
      if (alive.size() == left.size()) {
        throw failed(command(signal, left));
      }
      left = alive;
    }
  }

  private static List<String> command(String signal, List<ProcessHandle> processes) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    return command;
  }

  private static IllegalStateException failed(List<String> command) {
    return new IllegalStateException("failed: " + String.join(" ", command));
  }

  private static boolean succeeds(List<String> command) {
    try {
      Process run =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return run.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) && run.exitValue() == 0;
    } catch (IOException e) {
      throw new IllegalStateException(command.getFirst() + " is not on this machine", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
