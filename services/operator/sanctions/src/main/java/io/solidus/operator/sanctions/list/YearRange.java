package io.solidus.operator.sanctions.list;

import java.util.regex.Pattern;

/** Years of birth in a list, both ends included. */
public record YearRange(int from, int to) {
  static final int FIRST = 1850;
  static final int LAST = 2100;

  /** A year of four digits in the text of a list. */
  static final Pattern YEAR = Pattern.compile("(?<![0-9])(1[89]|20)[0-9]{2}(?![0-9])");

  private static final int TOLERANCE = 2;

  public YearRange {
    if (from < FIRST || to > LAST || from > to) {
      throw new IllegalArgumentException("invalid range of birth years");
    }
  }

  /** This range with {@link #TOLERANCE} more years on both sides, for an approximate date. */
  YearRange approximate() {
    return new YearRange(Math.max(FIRST, from - TOLERANCE), Math.min(LAST, to + TOLERANCE));
  }

  public boolean contains(int year) {
    return from <= year && year <= to;
  }
}
