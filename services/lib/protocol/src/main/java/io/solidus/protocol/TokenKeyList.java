package io.solidus.protocol;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The keys of the tokens of some days, which the registration service signs as a note.
 *
 * @param issuer host name of who issues tokens
 * @param batch tokens that a wallet gets a day
 * @param firstDay days since 1970 (UTC)
 * @param keys one for each day from the first on: SubjectPublicKeyInfo in lower-case hexadecimal
 */
@Spec("A-07")
public record TokenKeyList(String issuer, int batch, long firstDay, List<String> keys) {
  /** The longest batch, and the most days. */
  public static final int MAX = 64;

  private static final String KIND = "token-keys";
  private static final Pattern KEY = Pattern.compile("[0-9a-f]{684}");
  private static final Pattern ISSUER = Pattern.compile("[a-z0-9.-]{1,253}");

  /**
   * @throws ProtocolException malformed-request for a value out of range
   */
  public TokenKeyList {
    keys = List.copyOf(keys);
    if (!ISSUER.matcher(issuer).matches()
        || batch < 1
        || batch > MAX
        || firstDay < 0
        || keys.isEmpty()
        || keys.size() > MAX
        || !keys.stream().allMatch(key -> KEY.matcher(key).matches())
        || keys.stream().distinct().count() != keys.size()) {
      throw ProtocolException.malformed("the keys of tokens are out of range");
    }
  }

  /** The day of the clock's time (UTC), in days since 1970. */
  public static long today(Clock clock) {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay();
  }

  /** The last day that has a key here. */
  public long lastDay() {
    return firstDay + keys.size() - 1;
  }

  /** The key of a day, in hexadecimal; empty for a day that has none here. */
  public Optional<String> keyOf(long day) {
    return day < firstDay || day > lastDay()
        ? Optional.empty()
        : Optional.of(keys.get((int) (day - firstDay)));
  }

  /** The text of the note, which has no number: each day's key never changes. */
  public String toNoteText(NetworkId network) {
    return NoteText.write(KIND, network)
        .line("issuer", issuer)
        .line("batch", batch)
        .line("first-day", firstDay)
        .line("keys", String.join(" ", keys))
        .text();
  }

  /**
   * Reads the text of a note.
   *
   * @throws ProtocolException malformed-request, unknown-version, wrong-network
   */
  public static TokenKeyList parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    TokenKeyList list =
        new TokenKeyList(
            in.string("issuer"),
            Math.toIntExact(Math.min(in.number("batch"), Integer.MAX_VALUE)),
            in.number("first-day"),
            Arrays.asList(in.string("keys").split(" ", -1)));
    in.end();
    return list;
  }
}
