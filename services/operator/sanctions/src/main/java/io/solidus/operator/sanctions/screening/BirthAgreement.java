package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.list.YearRange;
import java.time.LocalDate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a date of birth agrees with those of an entry. It raises and lowers the score of a match.
 * Dates in lists are often wrong, so a date that differs hides no rare name; it hides a common one,
 * which many persons have.
 */
public enum BirthAgreement {
  /** The same day. */
  EXACT("agrees", 0.14),
  /** The same year, and day and month in the other order. */
  SWAPPED("agrees", 0.12),
  /** One slip away: the year before or after, ten years, or another day, month or year. */
  SLIP("close", 0.1),
  /** The same year; the list has no day, or the first of January, which often means none. */
  YEAR("agrees", 0.05),
  /** At most two years from what is listed without a day. */
  CLOSE("close", -0.02),
  /** One side has no date. */
  UNKNOWN("unknown", 0),
  /** The same year and another day. */
  OTHER_DAY("agrees", -0.04),
  DIFFERS("differs", -0.08);

  private static final int CLOSE_YEARS = 2;
  private static final int DECADE = 10;

  /** How much more a date that contradicts costs where the name tells nothing. */
  private static final double COMMON_NAME = 0.3;

  private final String year;
  private final double effect;

  BirthAgreement(String year, double effect) {
    this.year = year;
    this.effect = effect;
  }

  /** agrees, close, differs or unknown. */
  String year() {
    return year;
  }

  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * What the agreement adds to a score.
   *
   * @param rarity of the name, 0 for a name that many have to 1 for one that hardly anybody has
   */
  double effect(double rarity) {
    return switch (this) {
      case DIFFERS -> effect - COMMON_NAME * (1 - rarity);
      case OTHER_DAY -> effect - COMMON_NAME / 2 * (1 - rarity);
      case CLOSE -> effect * (1 - rarity);
      case YEAR -> effect * (0.5 + 0.5 * rarity);
      default -> effect;
    };
  }

  /** The best agreement with one of the entry's dates. */
  static BirthAgreement of(@Nullable LocalDate asked, ListedEntry entry) {
    if (asked == null || (entry.birthYears().isEmpty() && entry.details().birthDates().isEmpty())) {
      return UNKNOWN;
    }
    BirthAgreement best = DIFFERS;
    for (LocalDate listed : entry.details().birthDates()) {
      best = best.or(of(asked, listed));
    }
    for (YearRange range : entry.birthYears()) {
      if (!isYearOfDate(range, entry)) {
        best = best.or(of(asked.getYear(), range));
      }
    }
    return best;
  }

  private BirthAgreement or(BirthAgreement other) {
    if (this == DIFFERS || other == DIFFERS) {
      return this == DIFFERS ? other : this;
    }
    return effect >= other.effect ? this : other;
  }

  private static boolean isYearOfDate(YearRange range, ListedEntry entry) {
    return range.from() == range.to()
        && entry.details().birthDates().stream().anyMatch(date -> date.getYear() == range.from());
  }

  private static BirthAgreement of(int year, YearRange listed) {
    if (listed.contains(year)) {
      return YEAR;
    }
    return year >= listed.from() - CLOSE_YEARS && year <= listed.to() + CLOSE_YEARS
        ? CLOSE
        : DIFFERS;
  }

  private static BirthAgreement of(LocalDate asked, LocalDate listed) {
    if (asked.equals(listed)) {
      return EXACT;
    }
    int years = Math.abs(asked.getYear() - listed.getYear());
    boolean day = asked.getDayOfMonth() == listed.getDayOfMonth();
    boolean month = asked.getMonthValue() == listed.getMonthValue();
    if (years == 0
        && asked.getDayOfMonth() == listed.getMonthValue()
        && asked.getMonthValue() == listed.getDayOfMonth()) {
      return SWAPPED;
    }
    boolean placeholder = listed.getDayOfYear() == 1;
    if (!placeholder
        && ((day && month && (years == 1 || years == DECADE)) || (years == 0 && (day || month)))) {
      return day && month ? SLIP : day ? SLIP : CLOSE;
    }
    if (placeholder) {
      return of(asked.getYear(), new YearRange(listed.getYear(), listed.getYear()));
    }
    return years == 0 ? OTHER_DAY : DIFFERS;
  }
}
