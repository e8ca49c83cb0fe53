package io.solidus.operator.names;

import java.util.List;

/** Says how alike two names are. */
public final class NameMatcher {
  /** Changes with every change of what {@link #likeness} answers. Screenings keep it. */
  public static final String VERSION = "1";

  /** From this likeness on two names count as like names. */
  public static final double DEFAULT_THRESHOLD = 0.82;

  private NameMatcher() {}

  /**
   * How alike two names of persons are, in any script and order of their parts.
   *
   * @return 0 to 1; 1 for equal names, 0 when a name has no letter that can be read
   */
  public static double likeness(String a, String b) {
    return NameAlignment.score(weighted(a), weighted(b));
  }

  private static List<NameAlignment.Weighted> weighted(String name) {
    return NameNormaliser.normalise(name).tokens().stream()
        .map(token -> new NameAlignment.Weighted(token, token.weight()))
        .toList();
  }
}
