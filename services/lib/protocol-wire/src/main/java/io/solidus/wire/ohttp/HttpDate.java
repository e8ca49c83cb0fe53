package io.solidus.wire.ohttp;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** The time of the header Date (RFC 9110, section 5.6.7), in whole seconds. */
public final class HttpDate {
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);

  private HttpDate() {}

  public static String of(Instant time) {
    return FORM.format(time.atOffset(ZoneOffset.UTC));
  }

  /** The time; empty for a text of another form. */
  public static Optional<Instant> parse(String text) {
    try {
      return Optional.of(ZonedDateTime.parse(text, FORM.withZone(ZoneOffset.UTC)).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
