package io.solidus.dev.sandbox.secrets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Data of a platform with other keys. No service can use its coins, because another committee
 * signed them. The data are kept aside.
 */
public final class EarlierData {
  private static final Pattern NOTE_SEED =
      Pattern.compile("\"noteKeySeed\"\\s*:\\s*\"([0-9a-f]{64})\"");

  /** Files that the launcher has open. */
  private static final String LOGS = "logs";

  /** Marks data as not new; moved last, so that an interrupted move continues at the next start. */
  private static final String SECRETS = "secrets";

  private static final String ASIDE = "earlier-";

  private EarlierData() {}

  /** Whether the data directory is new or belongs to these keys. */
  public static boolean fits(Path data, Path keys) throws IOException {
    Path own = data.resolve(SECRETS).resolve(noteKeyName(1));
    return !Files.exists(own)
        || Arrays.equals(Files.readAllBytes(own), noteSeed(shareFile(keys, 1)));
  }

  /** Moves data of other keys to a directory of their own and returns that directory. */
  public static Optional<Path> setAside(Path data, Path keys) throws IOException {
    if (fits(data, keys)) {
      return Optional.empty();
    }
    Path aside = unused(data);
    Files.createDirectory(aside);
    for (Path entry : entries(data)) {
      Files.move(entry, aside.resolve(entry.getFileName()));
    }
    Files.move(data.resolve(SECRETS), aside.resolve(SECRETS));
    return Optional.of(aside);
  }

  private static List<Path> entries(Path data) throws IOException {
    try (Stream<Path> all = Files.list(data)) {
      return all.filter(entry -> moves(entry.getFileName().toString())).toList();
    }
  }

  private static boolean moves(String name) {
    return !name.equals(LOGS) && !name.equals(SECRETS) && !name.startsWith(ASIDE);
  }

  private static Path unused(Path data) {
    int number = 1;
    while (Files.exists(data.resolve(ASIDE + number))) {
      number++;
    }
    return data.resolve(ASIDE + number);
  }

  static String noteKeyName(int authority) {
    return "authority-" + authority + ".note-seed";
  }

  static Path shareFile(Path keys, int authority) {
    return keys.resolve("shares").resolve("authority-" + authority + ".json");
  }

  /** The seed of an authority's countersigning key, from its share file. */
  static byte[] noteSeed(Path shareFile) throws IOException {
    Matcher seed = NOTE_SEED.matcher(Files.readString(shareFile, StandardCharsets.US_ASCII));
    if (!seed.find()) {
      throw new IOException(shareFile.getFileName() + " has no note key");
    }
    return HexFormat.of().parseHex(seed.group(1));
  }
}
