package io.solidus.loadtest.forge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine on which a load test or benchmark was measured. */
public final class MachineDescription {

  private MachineDescription() {}

  public static Map<String, Object> describe() {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("processor", line("/proc/cpuinfo", "model name"));
    machine.put("avx512Ifma", hasIfma());
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("memory", line("/proc/meminfo", "MemTotal"));
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("java", System.getProperty("java.vm.version"));
    return machine;
  }

  /** Whether the processor multiplies eight pairs of field elements at once (docs/adr/0034). */
  public static boolean hasIfma() {
    return List.of(line("/proc/cpuinfo", "flags").split(" ", -1)).contains("avx512ifma");
  }

  private static String line(String file, String key) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(l -> l.startsWith(key))
          .map(l -> l.substring(l.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
