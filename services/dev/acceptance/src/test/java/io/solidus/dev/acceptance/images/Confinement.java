package io.solidus.dev.acceptance.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kernel's view of a process in a container. */
final class Confinement {
  private static final String NONE = "0000000000000000";
  private static final String LIBRARY = "/opt/solidus/native/libsolidus.so";

  private final Path process;

  Confinement(String pid) {
    this.process = Path.of("/proc", pid);
  }

  /** It runs as an unprivileged user, cannot change its user, and can write to its volumes only. */
  void assertConfined() throws IOException {
    Map<String, List<String>> status = status();
    String user = Integer.toString(ServiceFolder.USER);
    assertThat(status.get("Uid")).containsOnly(user);
    assertThat(status.get("Gid")).containsOnly(user);
    for (String set : List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")) {
      assertThat(status.get(set)).as(set).containsExactly(NONE);
    }
    assertThat(status.get("NoNewPrivs")).containsExactly("1");
    assertThat(rootOptions()).contains("ro").doesNotContain("rw");
  }

  /**
   * Its native code is the image's own; nothing that was unpacked at run time is executed. Every
   * service uses the native library.
   */
  void assertNativeCodeOfImage(String name) throws IOException {
    List<String> code;
    try (Stream<String> maps = Files.lines(process.resolve("maps"))) {
      code =
          maps.map(line -> line.split("\\s+", 6))
              .filter(fields ->
                  fields.length == 6 && fields[1].contains("x") && fields[5].startsWith("/"))
              .map(fields -> fields[5])
              .distinct()
              .toList();
    }
    assertThat(code)
        .as(name)
        .contains(LIBRARY)
        .allMatch(file -> file.startsWith("/opt/") || file.startsWith("/lib"));
  }

  /** Files that it left in its volume for temporary files. */
  List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.walk(process.resolve("root").resolve("tmp"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private Map<String, List<String>> status() throws IOException {
    try (Stream<String> lines = Files.lines(process.resolve("status"))) {
      return lines
          .map(line -> line.split(":\\s*", 2))
          .collect(
              Collectors.toMap(
                  fields -> fields[0], fields -> Arrays.asList(fields[1].strip().split("\\s+"))));
    }
  }

  private List<String> rootOptions() throws IOException {
    try (Stream<String> mounts = Files.lines(process.resolve("mountinfo"))) {
      return mounts
          .map(line -> line.split(" "))
          .filter(fields -> fields[4].equals("/"))
          .map(fields -> Arrays.asList(fields[5].split(",")))
          .findFirst()
          .orElseThrow();
    }
  }
}
