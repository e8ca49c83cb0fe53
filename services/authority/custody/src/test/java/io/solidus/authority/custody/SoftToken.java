package io.solidus.authority.custody;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tokens of SoftHSM2, made anew by each JVM of tests. Its configuration file is named by the
 * variable SOFTHSM2_CONF, which the module's pom sets for tests, because the library reads the
 * environment that the process began with.
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

  /** Made together before the library is first used, since it sees no token that comes later. */
  private static final List<String> TOKENS = List.of("custody", "another", "signer");

  private static final Map<String, Integer> SLOTS = new HashMap<>();

  private static Path home;

  private SoftToken() {}

  /** Empty where SoftHSM2 is not installed (Debian: apt-get install softhsm2). */
  public static Optional<Path> library() {
    boolean tool =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(dir -> Files.isExecutable(Path.of(dir, "softhsm2-util")));
    return LIBRARIES.stream().map(Path::of).filter(file -> tool && Files.exists(file)).findFirst();
  }

  /**
   * @param token one of custody, another and signer
   */
  public static synchronized TokenAccess access(String token, String keyLabel) {
    Path pinFile = pinFile(PIN);
    return new TokenAccess(library().orElseThrow(), SLOTS.get(token), keyLabel, pinFile);
  }

  /** A new file with a PIN that its owner alone reads. */
  public static Path pinFile(String pin) {
    try {
      Path file = home().resolve("pin-" + UUID.randomUUID());
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
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher slot = SLOT.matcher(said);
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0 || !slot.find()) {
        throw new IllegalStateException("softhsm2-util: " + said);
      }
      return Integer.parseInt(slot.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static synchronized Path home() {
    if (home == null) {
      Path configuration = Path.of(System.getenv("SOFTHSM2_CONF"));
      Path folder = configuration.resolveSibling("jvm-" + UUID.randomUUID());
      try {
        Files.createDirectories(folder.resolve("tokens"));
        Files.writeString(
            configuration,
            "directories.tokendir = "
                + folder.resolve("tokens")
                + "\nobjectstore.backend = file\nlog.level = ERROR\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      TOKENS.forEach(token -> SLOTS.put(token, make(token)));
      home = folder;
    }
    return home;
  }
}
