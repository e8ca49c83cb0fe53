package io.solidus.loadtest.forge;

import io.solidus.prover.NativeLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program solidus-forge: the file that the system property {@value #PATH_PROPERTY} names, or
 * the one in this module's resources. The latter is unpacked once per process into a private
 * directory, which is deleted with the process.
 */
final class ForgeProgram {
  static final String PATH_PROPERTY = "solidus.forge.path";

  private static final String NAME = "solidus-forge";
  private static final int MAX_OUTPUT = 4096;

  private ForgeProgram() {}

  private static final class Unpacked {
    static final Path FILE = unpack();
  }

  static Path file() {
    String override = System.getProperty(PATH_PROPERTY);
    return override == null ? Unpacked.FILE : Path.of(override);
  }

  /** Starts the program; its progress goes to this process's error stream. */
  static Process start(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(file().toString());
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new ForgeException("solidus-forge cannot be started: " + e.getMessage(), e);
    }
  }

  /**
   * Runs a command to its end.
   *
   * @return its output
   */
  static String run(List<String> arguments, Duration deadline) {
    Process process = start(arguments);
    try {
      process.getOutputStream().close();
      if (!process.waitFor(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ForgeException(
            "solidus-forge " + arguments.getFirst() + " did not finish within " + deadline);
      }
      String output =
          new String(process.getInputStream().readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new ForgeException(
            "solidus-forge " + arguments.getFirst() + " ended with status " + process.exitValue());
      }
      return output;
    } catch (IOException e) {
      throw new ForgeException("solidus-forge cannot be read: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ForgeException("interrupted while solidus-forge ran", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Path unpack() {
    String resource = "/forge/" + NativeLibrary.platform() + "/" + NAME;
    try (InputStream in = ForgeProgram.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new ForgeException(
            "no solidus-forge for "
                + NativeLibrary.platform()
                + " is packaged; build loadtest/forge on this platform");
      }
      Path directory = Files.createTempDirectory(NAME);
      Path file = directory.resolve(NAME);
      directory.toFile().deleteOnExit();
      file.toFile().deleteOnExit();
      Files.copy(in, file);
      Files.setPosixFilePermissions(
          file, EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE));
      return file;
    } catch (IOException e) {
      throw new ForgeException("solidus-forge cannot be unpacked: " + e.getMessage(), e);
    }
  }
}
