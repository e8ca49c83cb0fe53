package io.solidus.loadtest.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Processor time of processes and threads as the kernel counts it, in milliseconds. */
final class CpuTime {

  private static final double MILLIS_PER_TICK = 10; // USER_HZ is 100 on every Linux this runs on
  private static final int UTIME = 11; // fields after the command's closing bracket
  private static final int STIME = 12;
  private static final int CHILDREN_UTIME = 13;
  private static final int CHILDREN_STIME = 14;

  private CpuTime() {}

  /** The time of processes, of their descendants and of ended children. */
  static double ofProcesses(Collection<ProcessHandle> processes) {
    return processes.stream()
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .mapToDouble(process -> of(Path.of("/proc", Long.toString(process.pid()), "stat"), true))
        .sum();
  }

  /**
   * The time of each living thread of a process, by name and number. The number distinguishes
   * threads of one name.
   */
  static Map<String, Double> ofThreads(ProcessHandle process) {
    Map<String, Double> byThread = new TreeMap<>();
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    try (Stream<Path> threads = Files.list(tasks)) {
      threads.forEach(thread ->
          byThread.put(
              name(thread) + "/" + thread.getFileName(), of(thread.resolve("stat"), false)));
    } catch (IOException e) {
      // the process has ended
    }
    return byThread;
  }

  /** The time of the calling thread. */
  static double ofThisThread() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e6;
  }

  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).strip();
    } catch (IOException e) {
      return "gone";
    }
  }

  private static double of(Path stat, boolean withChildren) {
    try {
      String text = Files.readString(stat);
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]);
      if (withChildren) {
        ticks += Long.parseLong(fields[CHILDREN_UTIME]) + Long.parseLong(fields[CHILDREN_STIME]);
      }
      return ticks * MILLIS_PER_TICK;
    } catch (IOException e) {
      return 0;
    }
  }
}
