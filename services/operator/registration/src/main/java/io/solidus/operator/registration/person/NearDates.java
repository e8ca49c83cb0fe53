package io.solidus.operator.registration.person;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.Set;

/** Birth dates that somebody may have written by one mistake. */
final class NearDates {
  private static final int FIRST_YEAR = 1890;
  private static final int LAST_YEAR = 2099;

  private NearDates() {}

  /** The date with day and month swapped, and with one other digit; at most 40 or so. */
  static Set<LocalDate> of(LocalDate date) {
    Set<LocalDate> near = new LinkedHashSet<>();
    String digits =
        "%04d%02d%02d".formatted(date.getYear(), date.getMonthValue(), date.getDayOfMonth());
    add(near, digits.substring(0, 4) + digits.substring(6) + digits.substring(4, 6));
    for (int at = 0; at < digits.length(); at++) {
      for (char digit = '0'; digit <= '9'; digit++) {
        add(near, digits.substring(0, at) + digit + digits.substring(at + 1));
      }
    }
    near.remove(date);
    return near;
  }

  private static void add(Set<LocalDate> dates, String digits) {
    int year = Integer.parseInt(digits.substring(0, 4));
    if (year < FIRST_YEAR || year > LAST_YEAR) {
      return;
    }
    try {
      dates.add(
          LocalDate.of(
              year,
              Integer.parseInt(digits.substring(4, 6)),
              Integer.parseInt(digits.substring(6))));
    } catch (DateTimeException e) {
      // there is no such day
    }
  }
}
