package io.solidus.loadtest.chaos;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;

/** Progress lines on standard output, with the seconds since the start. */
public final class Console {

  private static final long START = System.nanoTime();

  private Console() {}

  @FormatMethod
  public static void say(String format, Object... values) {
    System.out.printf(
        Locale.ROOT,
        "%6.1f s  %s%n",
        (System.nanoTime() - START) / 1e9,
        String.format(Locale.ROOT, format, values));
  }
}
