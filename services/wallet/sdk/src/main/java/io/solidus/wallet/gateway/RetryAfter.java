package io.solidus.wallet.gateway;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a refusal with which a service said how long not to ask it again (RFC 9110, {@code
 * Retry-After} in seconds; the form with a date is not read).
 */
public final class RetryAfter extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A service that asks for more is not waited for at all. */
  private static final Duration MAX = Duration.ofDays(1);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private final Duration pause;

  private RetryAfter(Duration pause) {
    super("the service asks to wait " + pause.toSeconds() + " s", null, false, false);
    this.pause = pause;
  }

  /** What the headers of a refusal ask for; null when they ask for nothing. */
  public static @Nullable RetryAfter of(HttpHeaders headers) {
    return headers
        .firstValue("Retry-After")
        .filter(text -> SECONDS.matcher(text).matches())
        .map(text -> Duration.ofSeconds(Long.parseLong(text)))
        .map(pause -> new RetryAfter(pause.compareTo(MAX) > 0 ? MAX : pause))
        .orElse(null);
  }

  /** At most a day. */
  Duration pause() {
    return pause;
  }

  /** How long not to ask after this failure; zero when the service did not say. */
  public static Duration after(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof RetryAfter asked) {
        return asked.pause;
      }
    }
    return Duration.ZERO;
  }
}
