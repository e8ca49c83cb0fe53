package io.solidus.protocol;

import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * What an authority has reserved for mints and withdrawals: on one UTC day, and since its
 * beginning. Both amounts are public. The authority signs the note, and the issuer compares it with
 * its books.
 *
 * @param minted on the day
 * @param withdrawn on the day
 * @param mintedInAll on this day and before
 * @param withdrawnInAll on this day and before
 */
public record MoneyTotals(
    int authority,
    LocalDate day,
    Amount minted,
    Amount withdrawn,
    Amount mintedInAll,
    Amount withdrawnInAll) {
  private static final String KIND = "money-totals";

  public MoneyTotals {
    if (authority < 1
        || authority > Committee.MAX_MEMBERS
        || minted.compareTo(mintedInAll) > 0
        || withdrawn.compareTo(withdrawnInAll) > 0) {
      throw ProtocolException.malformed("an authority's totals are out of range");
    }
  }

  public String toNoteText(NetworkId network) {
    return NoteText.write(KIND, network)
        .line("authority", authority)
        .line("day", day.toString())
        .line("minted", minted.minor())
        .line("withdrawn", withdrawn.minor())
        .line("minted-in-all", mintedInAll.minor())
        .line("withdrawn-in-all", withdrawnInAll.minor())
        .text();
  }

  public static MoneyTotals parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    MoneyTotals totals =
        new MoneyTotals(
            in.smallNumber("authority"),
            day(in.string("day")),
            new Amount(in.number("minted")),
            new Amount(in.number("withdrawn")),
            new Amount(in.number("minted-in-all")),
            new Amount(in.number("withdrawn-in-all")));
    in.end();
    return totals;
  }

  private static LocalDate day(String text) {
    try {
      LocalDate day = LocalDate.parse(text);
      if (day.toString().equals(text)) {
        return day;
      }
    } catch (DateTimeException e) {
      // refused below
    }
    throw ProtocolException.malformed("a note's day is not a date");
  }
}
