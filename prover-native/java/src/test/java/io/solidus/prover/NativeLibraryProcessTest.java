package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading of the library, and its behaviour under the JVM's checks, each in a new JVM. */
@Tag("process")
class NativeLibraryProcessTest {

  @Test
  void theJvmsChecksOfNativeCodeFindNothing() throws Exception {
    Outcome outcome = run(List.of("-Xcheck:jni"), StressMain.class.getName());
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .doesNotContain("WARNING in native method")
        .doesNotContain("FATAL ERROR in native method");
  }

  @Test
  void reportsAMissingFile(@TempDir Path dir) throws Exception {
    Outcome outcome =
        run(
            List.of("-D" + NativeLibrary.PATH_PROPERTY + "=" + dir.resolve("nothing.so")),
            LoadMain.class.getName());
    assertThat(outcome.output())
        .contains("LIBRARY_MISSING")
        .contains("names no readable file")
        .contains("nothing.so");
  }

  @Test
  void reportsAFileThatIsNotALibrary(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("text.so"), "not a library");
    Outcome outcome =
        run(List.of("-D" + NativeLibrary.PATH_PROPERTY + "=" + file), LoadMain.class.getName());
    assertThat(outcome.output()).contains("LIBRARY_MISSING").contains("cannot be linked");
  }

  @Test
  void reportsAPlatformWithoutLibrary() throws Exception {
    Outcome outcome = run(List.of("-Dos.arch=sparc"), LoadMain.class.getName());
    assertThat(outcome.output()).contains("LIBRARY_MISSING").contains("no library for linux-sparc");
  }

  @Test
  void loadingDeletesItsTemporaryFiles() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Set<Path> before = unpacked(temporary);
    Outcome outcome = run(List.of(), LoadMain.class.getName());
    assertThat(outcome.output()).contains("loaded twice the same: true");
    assertThat(unpacked(temporary)).isSubsetOf(before);
  }

  private static Set<Path> unpacked(Path temporary) throws IOException {
    Set<Path> found = new HashSet<>();
    try (var entries = Files.newDirectoryStream(temporary, "solidus-native*")) {
      entries.forEach(found::add);
    }
    return found;
  }

  /** Loads the library twice and reports the outcome. */
  static final class LoadMain {
    public static void main(String[] args) {
      try {
        NativeLibrary.load();
        System.out.println(
            "loaded twice the same: " + NativeLibrary.version().equals(NativeLibrary.version()));
      } catch (NativeException e) {
        System.out.println(e.getMessage());
        try {
          NativeLibrary.load();
        } catch (NativeException again) {
          System.out.println(
              again.code() == e.code()
                  ? "the same the second time"
                  : "another code the second time");
        }
      }
    }
  }

  static final class StressMain {
    public static void main(String[] args) throws Exception {
      NativeLibraryTest.stress(4, 10);
    }
  }

  private record Outcome(int exit, String output) {}

  private static Outcome run(List<String> options, String main) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }
}
