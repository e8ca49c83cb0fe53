package io.solidus.operator.sanctions.list;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What speaks against a file: it may be cut short, old, or another list. Such a file is imported
 * only when the person who imports it says why and the person who accepts it confirms. The
 * kebab-case code is part of the API.
 */
enum Objection {
  /** The file does not end with its format's end: a cut download. */
  NO_END_MARK("no-end-mark"),
  /** The file was published before the version in force, or no longer states when. */
  OLDER("older-publication"),
  /** The file states a date after tomorrow; every later file would be older. */
  FUTURE("future-publication"),
  /** More than 2 % of the entries in force are not in the file. */
  REMOVES_MANY("removes-many"),
  /**
   * More than 20 % of the entries in force are other ones in the file, which can hide a removal.
   */
  CHANGES_MANY("changes-many"),
  /** More than 2 % of the file's entries, and more than five, are malformed. */
  MANY_MALFORMED("many-malformed");

  static final int REMOVED_PERCENT = 2;
  private static final int CHANGED_PERCENT = 20;
  private static final int MALFORMED_PERCENT = 2;
  private static final int TOLERATED_MALFORMED = 5;
  private static final int DATE_CHARS = 10;

  private final String code;

  Objection(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }

  /**
   * What speaks against a file.
   *
   * @param inForce null for the first import of a list, from which nothing can be removed
   */
  static List<Objection> to(
      ParseReport file, ListDelta.Counts delta, @Nullable ListVersion inForce, Instant now) {
    List<Objection> objections = new ArrayList<>();
    if (!file.complete()) {
      objections.add(NO_END_MARK);
    }
    if (inForce != null && older(file.published(), inForce.published())) {
      objections.add(OLDER);
    }
    LocalDate published = date(file.published());
    if (published != null
        && published.isAfter(LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(1))) {
      objections.add(FUTURE);
    }
    if (delta.removed() * 100L > delta.before() * (long) REMOVED_PERCENT) {
      objections.add(REMOVES_MANY);
    }
    if (delta.changed() * 100L > delta.before() * (long) CHANGED_PERCENT) {
      objections.add(CHANGES_MANY);
    }
    long rows = (long) file.entries() + file.malformed();
    if (file.malformed() > TOLERATED_MALFORMED
        && file.malformed() * 100L > rows * MALFORMED_PERCENT) {
      objections.add(MANY_MALFORMED);
    }
    return objections;
  }

  private static boolean older(String published, String inForce) {
    LocalDate last = date(inForce);
    if (last == null) {
      return false;
    }
    LocalDate next = date(published);
    // the times of one day are compared as text: the publisher writes them in one form
    return next == null
        || next.isBefore(last)
        || (next.equals(last) && published.compareTo(inForce) < 0);
  }

  private static @Nullable LocalDate date(String published) {
    if (published.length() < DATE_CHARS) {
      return null;
    }
    try {
      return LocalDate.parse(published.substring(0, DATE_CHARS));
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
