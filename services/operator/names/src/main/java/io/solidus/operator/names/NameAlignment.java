package io.solidus.operator.names;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares two names as weighted bags of tokens. Order does not matter. One token may match two or
 * three that are written apart ("Abd al Rahman", "Abdulrahman"). A part that only one name has
 * costs less than parts that contradict each other.
 */
final class NameAlignment {
  static final int MAX_JOINED = 4;
  private static final int MAX_LENGTH_DIFFERENCE = 2;

  /** A script without vowels leaves out about every second letter. */
  private static final int MAX_UNWRITTEN_VOWELS = 6;

  /** Names with more pairs, or that take more steps, are aligned one pair after the other. */
  private static final int MOST_EXACT = 60;

  private static final int MOST_STEPS = 2000;

  private static final double JOINED_FLOOR = 0.6;

  /** How much a name that is part of the other counts as the whole, by the information in it. */
  private static final double MOST_SUBSET_SHARE = 0.7;

  private static final double LEAST_SUBSET_SHARE = 0.15;
  private static final double LITTLE_INFORMATION = 9;
  private static final double MUCH_INFORMATION = 18;

  /** With a single token in one name a subset is weak evidence. */
  private static final double SINGLE_SUBSET_SHARE = 0.3;

  /**
   * The most alike pairs are taken first; among equally similar pairs, the pair with the higher
   * weight.
   */
  private static final Comparator<Pair> BEST_FIRST =
      Comparator.comparingDouble(Pair::likeness).thenComparingDouble(Pair::gain).reversed();

  private NameAlignment() {}

  /**
   * One of two names.
   *
   * @param weights how much each token weighs in the comparison
   * @param bits how much each token tells: the binary logarithm of how rare it is
   * @param joined {@code joined[i][n]} is tokens i to i+n+1 in one word, or null where no name is
   *     written so
   */
  record Side(List<NameToken> tokens, double[] weights, double[] bits, NameToken[][] joined) {
    static Side of(List<NameToken> tokens, double[] weights, double[] bits) {
      return new Side(tokens, weights, bits, joined(tokens));
    }

    int size() {
      return tokens.size();
    }

    double weight(int from, int to) {
      double weight = 0;
      for (int i = from; i < to; i++) {
        weight += weights[i];
      }
      return weight;
    }

    double bits(int from, int to) {
      double sum = 0;
      for (int i = from; i < to; i++) {
        sum += bits[i];
      }
      return sum;
    }

    /** Tokens in one word, as {@link #joined()} has them. */
    static @Nullable NameToken[][] joined(List<NameToken> tokens) {
      NameToken[][] joined = new NameToken[tokens.size()][];
      for (int i = 0; i < tokens.size(); i++) {
        int most = Math.min(MAX_JOINED, tokens.size() - i) - 1;
        joined[i] = new NameToken[Math.max(0, most)];
        for (int n = 0; n < most; n++) {
          List<NameToken> parts = tokens.subList(i, i + n + 2);
          if (n == 0
              || parts.stream()
                  .anyMatch(part ->
                      part.text().length() <= 3 || part.writing() != NameToken.Writing.FULL)) {
            joined[i][n] = NameToken.joined(parts);
          }
        }
      }
      return joined;
    }
  }

  /** Compares tokens; an index remembers what it answered. */
  @FunctionalInterface
  interface Comparison {
    double likeness(NameToken a, NameToken b);
  }

  /** Tokens [from, to) of one name match tokens [otherFrom, otherTo) of the other. */
  private record Pair(int from, int to, int otherFrom, int otherTo, double likeness, double gain) {}

  /**
   * The result of a comparison.
   *
   * @param likeness 0 to 1
   * @param bits how much the tokens that match tell
   */
  record Score(double likeness, double bits) {}

  static Score score(Side a, Side b, Comparison comparison) {
    List<Pair> taken = align(a, b, comparison);
    double totalA = a.weight(0, a.size());
    double totalB = b.weight(0, b.size());
    double matchedA = 0;
    double matchedB = 0;
    double bits = 0;
    for (Pair pair : taken) {
      double weightA = a.weight(pair.from, pair.to);
      double weightB = b.weight(pair.otherFrom, pair.otherTo);
      // several words that are one word of the other name weigh no more than that one
      double fairA = pair.to - pair.from > 1 ? Math.min(weightA, weightB) : weightA;
      double fairB = pair.otherTo - pair.otherFrom > 1 ? Math.min(weightA, weightB) : weightB;
      totalA -= weightA - fairA;
      totalB -= weightB - fairB;
      matchedA += pair.likeness * fairA;
      matchedB += pair.likeness * fairB;
      bits +=
          pair.likeness
              * pair.likeness
              * Math.min(a.bits(pair.from, pair.to), b.bits(pair.otherFrom, pair.otherTo));
    }
    boolean single = Math.min(a.size(), b.size()) < 2;
    return new Score(combine(totalA, totalB, matchedA, matchedB, bits, single), bits);
  }

  /** Token by token, in the order of the first name; what has no partner comes last. */
  static List<TokenMatch> explain(Side a, Side b, Comparison comparison) {
    List<Pair> taken = new ArrayList<>(align(a, b, comparison));
    taken.sort(Comparator.comparingInt(Pair::from));
    List<TokenMatch> lines = new ArrayList<>();
    long takenA = 0;
    long takenB = 0;
    for (Pair pair : taken) {
      takenA |= span(pair.from, pair.to);
      takenB |= span(pair.otherFrom, pair.otherTo);
      boolean joined = pair.to - pair.from + pair.otherTo - pair.otherFrom > 2;
      String how =
          joined
              ? "joined"
              : TokenLikeness.kind(a.tokens.get(pair.from), b.tokens.get(pair.otherFrom))
                  .name()
                  .toLowerCase(Locale.ROOT);
      lines.add(
          new TokenMatch(
              texts(a, pair.from, pair.to),
              texts(b, pair.otherFrom, pair.otherTo),
              pair.likeness,
              how));
    }
    for (int i = 0; i < a.size(); i++) {
      if ((takenA & span(i, i + 1)) == 0) {
        lines.add(new TokenMatch(a.tokens.get(i).text(), "", 0, "missing"));
      }
    }
    for (int j = 0; j < b.size(); j++) {
      if ((takenB & span(j, j + 1)) == 0) {
        lines.add(new TokenMatch("", b.tokens.get(j).text(), 0, "missing"));
      }
    }
    return lines;
  }

  private static String texts(Side side, int from, int to) {
    return String.join(" ", side.tokens.subList(from, to).stream().map(NameToken::text).toList());
  }

  /** The pairs that together gain most, each token in one of them at most. */
  private static List<Pair> align(Side a, Side b, Comparison comparison) {
    List<Pair> pairs = pairs(a, b, comparison);
    if (pairs.size() <= MOST_EXACT) {
      Search search = new Search(a.size(), pairs);
      search.from(0, 0, 0, new ArrayDeque<>());
      if (search.steps < MOST_STEPS) {
        return search.best;
      }
    }
    return greedy(a, pairs);
  }

  /** Tries all ways to choose pairs; there are few, because names have few words. */
  private static final class Search {
    private final List<List<Pair>> starting = new ArrayList<>();
    private final double[] rest;
    private List<Pair> best = List.of();
    private double most = -1;
    private int steps;

    Search(int size, List<Pair> pairs) {
      rest = new double[size + 1];
      for (int i = 0; i < size; i++) {
        starting.add(new ArrayList<>());
      }
      pairs.forEach(pair -> starting.get(pair.from).add(pair));
      for (int i = size - 1; i >= 0; i--) {
        double gain = 0;
        for (Pair pair : starting.get(i)) {
          gain = Math.max(gain, pair.gain);
        }
        rest[i] = rest[i + 1] + gain;
      }
    }

    private void from(int at, long taken, double gain, Deque<Pair> chosen) {
      if (gain + rest[at] <= most || ++steps >= MOST_STEPS) {
        return;
      }
      if (at == starting.size()) {
        most = gain;
        best = List.copyOf(chosen);
        return;
      }
      for (Pair pair : starting.get(at)) {
        long bits = span(pair.otherFrom, pair.otherTo);
        if ((taken & bits) == 0) {
          chosen.addLast(pair);
          from(pair.to, taken | bits, gain + pair.gain, chosen);
          chosen.removeLast();
        }
      }
      from(at + 1, taken, gain, chosen);
    }
  }

  private static List<Pair> greedy(Side a, List<Pair> pairs) {
    pairs.sort(BEST_FIRST);
    List<Pair> taken = new ArrayList<>(a.size());
    long takenA = 0;
    long takenB = 0;
    for (Pair pair : pairs) {
      long bitsA = span(pair.from, pair.to);
      long bitsB = span(pair.otherFrom, pair.otherTo);
      if ((takenA & bitsA) == 0 && (takenB & bitsB) == 0) {
        takenA |= bitsA;
        takenB |= bitsB;
        taken.add(pair);
      }
    }
    return taken;
  }

  private static double combine(
      double totalA, double totalB, double matchedA, double matchedB, double bits, boolean single) {
    if (totalA <= 0 || totalB <= 0) {
      return 0;
    }
    double covered = totalA <= totalB ? matchedA / totalA : matchedB / totalB;
    double dice = (matchedA + matchedB) / (totalA + totalB);
    double known =
        Math.clamp((bits - LITTLE_INFORMATION) / (MUCH_INFORMATION - LITTLE_INFORMATION), 0.0, 1.0);
    double share =
        single
            ? SINGLE_SUBSET_SHARE
            : LEAST_SUBSET_SHARE + (MOST_SUBSET_SHARE - LEAST_SUBSET_SHARE) * known;
    return Math.min(1, share * covered + (1 - share) * dice);
  }

  private static List<Pair> pairs(Side a, Side b, Comparison comparison) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      for (int j = 0; j < b.size(); j++) {
        double likeness = comparison.likeness(a.tokens.get(i), b.tokens.get(j));
        add(a, b, i, i + 1, j, j + 1, likeness, pairs);
        for (int n = 0; n < b.joined[j].length; n++) {
          likeness = joined(a.tokens.get(i), b.joined[j][n], comparison);
          add(a, b, i, i + 1, j, j + n + 2, likeness, pairs);
        }
        for (int n = 0; n < a.joined[i].length; n++) {
          likeness = joined(b.tokens.get(j), a.joined[i][n], comparison);
          add(a, b, i, i + n + 2, j, j + 1, likeness, pairs);
        }
      }
    }
    return pairs;
  }

  private static void add(
      Side a, Side b, int i, int iEnd, int j, int jEnd, double likeness, List<Pair> pairs) {
    if (likeness > 0) {
      pairs.add(
          new Pair(i, iEnd, j, jEnd, likeness, likeness * (a.weight(i, iEnd) + b.weight(j, jEnd))));
    }
  }

  private static double joined(NameToken one, @Nullable NameToken apart, Comparison comparison) {
    if (apart == null || one.isInitial()) {
      return 0;
    }
    int tolerated = one.writing() == apart.writing() ? MAX_LENGTH_DIFFERENCE : MAX_UNWRITTEN_VOWELS;
    if (Math.abs(apart.text().length() - one.text().length()) > tolerated) {
      return 0;
    }
    double likeness = comparison.likeness(one, apart);
    return likeness < JOINED_FLOOR ? 0 : likeness;
  }

  private static long span(int from, int to) {
    return ((1L << (to - from)) - 1) << from;
  }
}
