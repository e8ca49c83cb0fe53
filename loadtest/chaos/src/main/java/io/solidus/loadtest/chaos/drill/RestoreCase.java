package io.solidus.loadtest.chaos.drill;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is lost, and what it is restored from. */
enum RestoreCase {
  /**
   * The database's volume; back comes an old base backup. Then the log is missing, then log and
   * database are old together.
   */
  OLD_BACKUP,
  /**
   * The database's volume and its write-ahead log; back comes the base backup with what the archive
   * has of the log.
   */
  ARCHIVE,
  /**
   * The database's volume; back comes the base backup with the archive and the surviving volume of
   * the write-ahead log.
   */
  LATEST,
  /** The database; back comes an old dump. */
  DUMP;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static RestoreCase of(String label) {
    return Arrays.stream(values())
        .filter(each -> each.label().equals(label))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(label + " is no case; there are " + labels()));
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(RestoreCase::label).toList();
  }
}
