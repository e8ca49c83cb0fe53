package io.solidus.authority.custody;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tokens of SoftHSM2, made by each test JVM. The variable SOFTHSM2_CONF names the configuration
 * file. The module's pom sets it, because the library reads the environment of the process start.
 */
public final class SoftToken {
  public static final String PIN = "483920";

  private static final List<String> LIBRARIES =
      List.of(
          "/usr/lib/softhsm/libsofthsm2.so",
          "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
          "/usr/lib64/softhsm/libsofthsm2.so",
          "/usr/lib64/pkcs11/libsofthsm2.so",
          "/usr/local/lib/softhsm/libsofthsm2.so",
          "/opt/homebrew/lib/softhsm/libsofthsm2.so");

  private static final Pattern SLOT = Pattern.compile("reassigned to slot (\\d+)");

  /** All made before the first use of the library, because it does not see later tokens. */
  private static final List<String> TOKENS = List.of("custody", "another", "signer");

  private SoftToken() {}

  /** Empty where SoftHSM2 is not installed (Debian: apt-get install softhsm2). */
  public static Optional<Path> library() {
    boolean tool =
        Arrays.stream(variable("PATH").split(File.pathSeparator, -1))
            .anyMatch(dir -> Files.isExecutable(Path.of(dir, "softhsm2-util")));
    return LIBRARIES.stream().map(Path::of).filter(file -> tool && Files.exists(file)).findFirst();
  }

  /**
   * Access to a key of a token.
   *
   * @param token one of custody, another and signer
   */
  public static TokenAccess access(String token, String keyLabel) {
    Integer slot = Made.SLOTS.get(token);
    return new TokenAccess(
        library().orElseThrow(), requireNonNull(slot, token), keyLabel, pinFile(PIN));
  }

  /** Makes a PIN file that only its owner can read. */
  public static Path pinFile(String pin) {
    try {
      Path file = Made.FOLDER.resolve("pin-" + UUID.randomUUID());
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return Files.writeString(file, pin + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int make(String token) {
    try {
      Process process =
          new ProcessBuilder(
                  "softhsm2-util",
                  "--init-token",
                  "--free",
                  "--label",
                  token,
                  "--so-pin",
                  "0987654321",
                  "--pin",
                  PIN)
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher slot = SLOT.matcher(output);
      if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0 || !slot.find()) {
        throw new IllegalStateException("softhsm2-util: " + output);
      }
      return Integer.parseInt(slot.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String variable(String name) {
    return requireNonNull(System.getenv(name), name);
  }

  /** The tokens of this JVM, made on first use. */
  private static final class Made {
    static final Path FOLDER = configure();
    static final Map<String, Integer> SLOTS =
        TOKENS.stream().collect(toMap(token -> token, SoftToken::make));

    private static Path configure() {
      Path configuration = Path.of(variable("SOFTHSM2_CONF"));
      Path folder = configuration.resolveSibling("jvm-" + UUID.randomUUID());
      try {
        Files.createDirectories(folder.resolve("tokens"));
        Files.writeString(
            configuration,
            "directories.tokendir = "
                + folder.resolve("tokens")
                + "\nobjectstore.backend = file\nlog.level = ERROR\n");
        return folder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
