package io.solidus.operator.sanctions.list;

/** Years of birth a list states, both ends included. */
public record YearRange(int from, int to) {
  public static final int FIRST = 1850;
  public static final int LAST = 2100;

  public YearRange {
    if (from < FIRST || to > LAST || from > to) {
      throw new IllegalArgumentException("not a range of birth years");
    }
  }

  public static boolean plausible(int year) {
    return year >= FIRST && year <= LAST;
  }

  /** The year alone, widened on both sides where the list itself calls it approximate. */
  public static YearRange around(int year, int tolerance) {
    return new YearRange(Math.max(FIRST, year - tolerance), Math.min(LAST, year + tolerance));
  }

  public boolean contains(int year) {
    return from <= year && year <= to;
  }
}
