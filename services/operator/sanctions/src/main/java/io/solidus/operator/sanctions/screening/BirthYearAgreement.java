package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.YearRange;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the year of birth agrees with a match of names. It ranks matches and never hides one, because
 * years in lists are often wrong.
 */
public enum BirthYearAgreement {
  AGREES(0.05),
  CLOSE(0.02),
  UNKNOWN(0),
  DIFFERS(-0.15);

  private static final int CLOSE_YEARS = 2;

  private final double bonus;

  BirthYearAgreement(double bonus) {
    this.bonus = bonus;
  }

  /** Is added to the score for ranking. */
  double bonus() {
    return bonus;
  }

  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  static BirthYearAgreement of(@Nullable Integer year, List<YearRange> listed) {
    if (year == null || listed.isEmpty()) {
      return UNKNOWN;
    }
    BirthYearAgreement best = DIFFERS;
    for (YearRange range : listed) {
      if (range.contains(year)) {
        return AGREES;
      }
      if (year >= range.from() - CLOSE_YEARS && year <= range.to() + CLOSE_YEARS) {
        best = CLOSE;
      }
    }
    return best;
  }
}
