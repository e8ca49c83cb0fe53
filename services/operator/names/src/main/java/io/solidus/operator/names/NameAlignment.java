package io.solidus.operator.names;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Compares two names as weighted bags of tokens. Order does not matter. One token may match two or
 * three that are written apart ("Abd al Rahman", "Abdulrahman"). A part that only one name has
 * costs less than parts that contradict each other.
 */
public final class NameAlignment {
  private static final int MAX_JOINED = 3;
  private static final int MAX_LENGTH_DIFFERENCE = 2;

  /** A script without vowels leaves out about every second letter. */
  private static final int MAX_UNWRITTEN_VOWELS = 6;

  private static final double JOINED_FLOOR = 0.6;
  private static final double SUBSET_SHARE = 0.7;

  /** With a single token in one name a subset is weak evidence. */
  private static final double SINGLE_SUBSET_SHARE = 0.3;

  /**
   * The most alike pairs are taken first; among equally similar pairs, the pair with the higher
   * weight.
   */
  private static final Comparator<Pair> BEST_FIRST =
      Comparator.comparingDouble(Pair::likeness).thenComparingDouble(Pair::gain).reversed();

  private NameAlignment() {}

  /** A token of a name and how much it weighs in the comparison. */
  public record Weighted(NameToken token, double weight) {}

  /** Tokens [from, to) of one name match tokens [otherFrom, otherTo) of the other. */
  private record Pair(int from, int to, int otherFrom, int otherTo, double likeness, double gain) {}

  /** How alike two names are, 0 to 1. */
  public static double score(List<Weighted> a, List<Weighted> b) {
    List<Pair> pairs = new ArrayList<>();
    pairs(a, b, pairs);
    pairs.sort(BEST_FIRST);
    long takenA = 0;
    long takenB = 0;
    double matchedA = 0;
    double matchedB = 0;
    for (Pair pair : pairs) {
      long bitsA = span(pair.from, pair.to);
      long bitsB = span(pair.otherFrom, pair.otherTo);
      if ((takenA & bitsA) == 0 && (takenB & bitsB) == 0) {
        takenA |= bitsA;
        takenB |= bitsB;
        matchedA += pair.likeness * weight(a, pair.from, pair.to);
        matchedB += pair.likeness * weight(b, pair.otherFrom, pair.otherTo);
      }
    }
    return combine(a, b, matchedA, matchedB);
  }

  private static double combine(
      List<Weighted> a, List<Weighted> b, double matchedA, double matchedB) {
    double totalA = weight(a, 0, a.size());
    double totalB = weight(b, 0, b.size());
    if (totalA == 0 || totalB == 0) {
      return 0;
    }
    double covered = totalA <= totalB ? matchedA / totalA : matchedB / totalB;
    double dice = (matchedA + matchedB) / (totalA + totalB);
    boolean single = Math.min(a.size(), b.size()) < 2;
    double share = single ? SINGLE_SUBSET_SHARE : SUBSET_SHARE;
    return Math.min(1, share * covered + (1 - share) * dice);
  }

  private static void pairs(List<Weighted> a, List<Weighted> b, List<Pair> pairs) {
    for (int i = 0; i < a.size(); i++) {
      for (int j = 0; j < b.size(); j++) {
        add(a, b, i, i + 1, j, j + 1, a.get(i).token.likeness(b.get(j).token), pairs);
        for (int length = 2; length <= MAX_JOINED; length++) {
          if (j + length <= b.size()) {
            add(a, b, i, i + 1, j, j + length, joined(a.get(i).token, b, j, length), pairs);
          }
          if (i + length <= a.size()) {
            add(a, b, i, i + length, j, j + 1, joined(b.get(j).token, a, i, length), pairs);
          }
        }
      }
    }
  }

  private static void add(
      List<Weighted> a,
      List<Weighted> b,
      int i,
      int iEnd,
      int j,
      int jEnd,
      double likeness,
      List<Pair> pairs) {
    if (likeness > 0) {
      pairs.add(
          new Pair(
              i, iEnd, j, jEnd, likeness, likeness * (weight(a, i, iEnd) + weight(b, j, jEnd))));
    }
  }

  private static double joined(NameToken one, List<Weighted> apart, int from, int length) {
    int letters = 0;
    for (int i = from; i < from + length; i++) {
      letters += apart.get(i).token.text().length();
    }
    boolean vowelsWritten = apart.get(from).token.vowelsWritten();
    int tolerated =
        one.vowelsWritten() == vowelsWritten ? MAX_LENGTH_DIFFERENCE : MAX_UNWRITTEN_VOWELS;
    if (Math.abs(letters - one.text().length()) > tolerated || letters > NameToken.MAX_CHARS) {
      return 0;
    }
    StringBuilder text = new StringBuilder(letters);
    for (int i = from; i < from + length; i++) {
      text.append(apart.get(i).token.text());
    }
    double likeness = one.likeness(NameToken.of(text.toString(), vowelsWritten));
    return likeness < JOINED_FLOOR ? 0 : likeness;
  }

  private static double weight(List<Weighted> name, int from, int to) {
    double weight = 0;
    for (Weighted each : name.subList(from, to)) {
      weight += each.weight;
    }
    return weight;
  }

  private static long span(int from, int to) {
    return ((1L << (to - from)) - 1) << from;
  }
}
