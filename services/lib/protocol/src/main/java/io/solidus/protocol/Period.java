package io.solidus.protocol;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * The limit period that sent totals and counts refer to: a calendar month.
 *
 * @param yyyymm year times 100 plus month; 0 before the first transfer
 */
public record Period(int yyyymm) implements Comparable<Period> {
  /** Before the first transfer, and in statements that count in no period. */
  public static final Period NONE = new Period(0);

  public Period {
    if (yyyymm < 0) {
      throw ProtocolException.malformed("a period is not negative");
    }
  }

  public static Period of(YearMonth month) {
    return new Period(month.getYear() * 100 + month.getMonthValue());
  }

  /** Returns the UTC month of an instant. */
  public static Period at(Instant instant) {
    return of(YearMonth.from(instant.atOffset(ZoneOffset.UTC)));
  }

  @Override
  public int compareTo(Period other) {
    return Integer.compare(yyyymm, other.yyyymm);
  }
}
