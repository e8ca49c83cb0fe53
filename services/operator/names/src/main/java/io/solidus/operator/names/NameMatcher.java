package io.solidus.operator.names;

import io.solidus.operator.names.NameAlignment.Side;
import java.util.Arrays;
import java.util.List;

/** Says how alike two names are. */
public final class NameMatcher {
  /** Changes with every change of what {@link #likeness} answers. Screenings keep it. */
  public static final String VERSION = "3";

  /** From this likeness on two names count as like names. */
  public static final double DEFAULT_THRESHOLD = 0.82;

  /** Of a token of which nothing is known: one person of a thousand has it. */
  static final double DEFAULT_BITS = 10;

  private NameMatcher() {}

  /**
   * How alike two names of persons are, in any script and order of their parts.
   *
   * @return 0 to 1; 1 for equal names, 0 when a name has no letter that can be read
   */
  public static double likeness(String a, String b) {
    return NameAlignment.score(side(a), side(b), TokenLikeness::of).likeness();
  }

  /** Why two names are as alike as {@link #likeness} says, token by token. */
  public static List<TokenMatch> explain(String a, String b) {
    return NameAlignment.explain(side(a), side(b), TokenLikeness::of);
  }

  private static Side side(String name) {
    List<NameToken> tokens = NameNormaliser.tokens(name);
    double[] weights = tokens.stream().mapToDouble(NameToken::weight).toArray();
    double[] bits = Arrays.stream(weights).map(weight -> weight * DEFAULT_BITS).toArray();
    return Side.of(tokens, weights, bits);
  }
}
