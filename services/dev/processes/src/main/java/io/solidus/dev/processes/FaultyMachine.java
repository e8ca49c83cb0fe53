package io.solidus.dev.processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A machine, as its processes see it, that can lose power and whose clock can be wrong. The
 * processes load two libraries before all others. One keeps a durable copy of each file that they
 * write; a loss of power puts the durable copies in the place of the files ({@code lossy-disk.c}
 * says what is not lost). The other shifts the time of day ({@code shifted-clock.c}).
 */
public final class FaultyMachine {

  private static final String COPIES = "SOLIDUS_LOSSY_DISK";
  private static final String CLOCK = "SOLIDUS_CLOCK";
  private static final List<String> COMPILERS = List.of("cc", "gcc", "clang");

  /**
   * What a loss of power threw away.
   *
   * @param files whose content was not durable
   * @param bytes that differ, with those by which a file was longer or shorter
   */
  public record Loss(long files, long bytes) {
    Loss plus(Loss other) {
      return new Loss(files + other.files, bytes + other.bytes);
    }
  }

  private final Path copies;
  private final Path clock;
  private final Path disk;
  private final Path cut;
  private final Path shiftedClock;

  private FaultyMachine(Path folder) {
    this.copies = folder.resolve("copies");
    this.clock = folder.resolve("clock");
    this.disk = folder.resolve("lossy-disk.so");
    this.cut = folder.resolve("cut");
    this.shiftedClock = folder.resolve("shifted-clock.so");
  }

  /**
   * Compiles the libraries; the clock is right.
   *
   * @param folder for the libraries and the durable copies; may not exist
   * @return empty where there is no C compiler
   */
  public static Optional<FaultyMachine> make(Path folder) {
    Optional<String> compiler = compiler();
    if (compiler.isEmpty()) {
      return Optional.empty();
    }
    Path place = folder.toAbsolutePath();
    FaultyMachine machine = new FaultyMachine(place);
    try {
      Files.createDirectories(machine.copies);
      Path source = source(place, "lossy-disk.c");
      compile(compiler.get(), source, machine.disk, List.of("-shared", "-fPIC"));
      compile(compiler.get(), source, machine.cut, List.of("-DCUT"));
      compile(
          compiler.get(),
          source(place, "shifted-clock.c"),
          machine.shiftedClock,
          List.of("-shared", "-fPIC"));
      machine.setClock(Duration.ZERO);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(machine);
  }

  /** The environment of the machine's processes. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD",
        disk + ":" + shiftedClock,
        COPIES,
        copies.toString(),
        CLOCK,
        clock.toString());
  }

  /**
   * Leaves of each file in these folders only what was fsynced. No process that writes to them
   * runs.
   *
   * @throws IllegalStateException when a file cannot be changed
   */
  public Loss losePower(Path... folders) {
    List<String> command = new ArrayList<>(List.of(cut.toString()));
    Arrays.stream(folders).forEach(each -> command.add(each.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(COPIES, copies.toString());
    try {
      Process process = builder.start();
      String[] counts;
      try (InputStream out = process.getInputStream()) {
        counts = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip().split(" ", -1);
      }
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + " failed");
      }
      return new Loss(Long.parseLong(counts[0]), Long.parseLong(counts[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Sets the time of day of all processes of the machine, at once.
   *
   * @param ahead of the true time, in whole seconds; negative for behind it
   */
  public void setClock(Duration ahead) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(0, ahead.toSeconds());
    try (FileChannel file =
        FileChannel.open(clock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(bytes, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path source(Path folder, String name) throws IOException {
    Path source = folder.resolve(name);
    try (InputStream in = Objects.requireNonNull(FaultyMachine.class.getResourceAsStream(name))) {
      Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
    }
    return source;
  }

  private static void compile(String compiler, Path source, Path to, List<String> options) {
    List<String> command = new ArrayList<>(List.of(compiler, "-O2", "-Wall", "-Wextra", "-Werror"));
    command.addAll(options);
    command.addAll(List.of("-o", to.toString(), source.toString(), "-ldl"));
    PostgresTools.run(to.resolveSibling(to.getFileName() + ".log"), command);
  }

  private static Optional<String> compiler() {
    return COMPILERS.stream()
        .filter(name ->
            Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, name))))
        .findFirst();
  }
}
