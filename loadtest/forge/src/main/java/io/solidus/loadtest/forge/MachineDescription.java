package io.solidus.loadtest.forge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine on which a load test or benchmark was measured. */
public final class MachineDescription {

  private MachineDescription() {}

  public static Map<String, Object> describe() {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("processor", line("/proc/cpuinfo", "model name"));
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("memory", line("/proc/meminfo", "MemTotal"));
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("java", System.getProperty("java.vm.version"));
    return machine;
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
