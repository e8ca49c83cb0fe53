package io.solidus.loadtest.chaos.drill;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The data that an authority loses, and the source of its restore. */
enum RestoreCase {
  /**
   * The database's volume is lost and an old base backup restored. Then the log is missing too,
   * then log and database are equally old.
   */
  OLD_BACKUP,
  /**
   * The database's volume and its write-ahead log are lost; the base backup is restored with the
   * archived part of the log.
   */
  ARCHIVE,
  /**
   * The database's volume is lost; the base backup is restored with the archive and the surviving
   * volume of the write-ahead log.
   */
  LATEST,
  /** The database is lost and an old dump restored. */
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
