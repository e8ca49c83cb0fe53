package io.solidus.operator.sanctions.screening;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Compares two names as weighted bags of tokens: order does not matter, one token may answer two or
 * three written apart ("Abd al Rahman", "Abdulrahman"), and parts that only one of the names has
 * cost less than parts that contradict each other.
 */
final class NameAlignment {
  private static final int MAX_JOINED = 3;
  private static final double JOINED_FLOOR = 0.6;
  private static final double SUBSET_SHARE = 0.7;

  /** With a single token on one side a subset says little. */
  private static final double SINGLE_SUBSET_SHARE = 0.3;

  /** The surest pairs are taken first; of equally sure ones those that explain more. */
  private static final Comparator<Pair> BEST_FIRST =
      Comparator.comparingDouble(Pair::likeness).thenComparingDouble(Pair::gain).reversed();

  private NameAlignment() {}

  /** One name and the weight of each of its tokens. */
  record Side(List<Token> tokens, double[] weights) {
    double total() {
      double total = 0;
      for (double weight : weights) {
        total += weight;
      }
      return total;
    }
  }

  /** Tokens [from, to) of one side answer tokens [otherFrom, otherTo) of the other. */
  private record Pair(int from, int to, int otherFrom, int otherTo, double likeness, double gain) {}

  /** 0 to 1. */
  static double score(Side a, Side b) {
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

  private static double combine(Side a, Side b, double matchedA, double matchedB) {
    double totalA = a.total();
    double totalB = b.total();
    if (totalA == 0 || totalB == 0) {
      return 0;
    }
    double covered = totalA <= totalB ? matchedA / totalA : matchedB / totalB;
    double dice = (matchedA + matchedB) / (totalA + totalB);
    boolean single = Math.min(a.tokens.size(), b.tokens.size()) < 2;
    double share = single ? SINGLE_SUBSET_SHARE : SUBSET_SHARE;
    return Math.min(1, share * covered + (1 - share) * dice);
  }

  private static void pairs(Side a, Side b, List<Pair> pairs) {
    for (int i = 0; i < a.tokens.size(); i++) {
      for (int j = 0; j < b.tokens.size(); j++) {
        add(a, b, i, i + 1, j, j + 1, a.tokens.get(i).likeness(b.tokens.get(j)), pairs);
        for (int length = 2; length <= MAX_JOINED; length++) {
          if (j + length <= b.tokens.size()) {
            add(a, b, i, i + 1, j, j + length, joined(a.tokens.get(i), b.tokens, j, length), pairs);
          }
          if (i + length <= a.tokens.size()) {
            add(a, b, i, i + length, j, j + 1, joined(b.tokens.get(j), a.tokens, i, length), pairs);
          }
        }
      }
    }
  }

  private static void add(
      Side a, Side b, int i, int iEnd, int j, int jEnd, double likeness, List<Pair> pairs) {
    if (likeness > 0) {
      pairs.add(
          new Pair(
              i, iEnd, j, jEnd, likeness, likeness * (weight(a, i, iEnd) + weight(b, j, jEnd))));
    }
  }

  private static double joined(Token one, List<Token> apart, int from, int length) {
    int letters = 0;
    for (int i = from; i < from + length; i++) {
      letters += apart.get(i).text().length();
    }
    if (Math.abs(letters - one.text().length()) > 2 || letters > Token.MAX_CHARS) {
      return 0;
    }
    StringBuilder text = new StringBuilder(letters);
    for (int i = from; i < from + length; i++) {
      text.append(apart.get(i).text());
    }
    double likeness = one.likeness(Token.of(text.toString()));
    return likeness < JOINED_FLOOR ? 0 : likeness;
  }

  private static double weight(Side side, int from, int to) {
    double weight = 0;
    for (int i = from; i < to; i++) {
      weight += side.weights[i];
    }
    return weight;
  }

  private static long span(int from, int to) {
    return ((1L << (to - from)) - 1) << from;
  }
}
