package io.solidus.operator.names;

import io.solidus.operator.names.NameAlignment.Comparison;
import io.solidus.operator.names.NameAlignment.Side;
import io.solidus.operator.names.NameToken.Writing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Immutable index over many names. It finds the names that have a token like one of the question's,
 * and aligns the most promising of them. The work of a search is bounded. How much a token weighs
 * follows from how many of the names have it.
 */
public final class NameIndex {
  /** With fewer names than this the list does not show how common a token is. */
  private static final int MIN_POPULATION = 10_000;

  private static final double LEAST_WEIGHT = 0.3;

  /** From this likeness on a token is taken for as common as the listed one. */
  private static final double SAME_NAME = 0.7;

  /** The share of the lighter name that must match before a name is aligned. */
  private static final double PROMISING = 0.42;

  private static final int MOST_ALIGNED = 300;

  /** Fewer consonants than this find too many names. */
  private static final int TELLING_CONSONANTS = 3;

  private static final int SHORTEST_WITH_ERROR = 4;

  private final List<Side> names;
  private final List<Word> vocabulary;
  private final Map<String, int[]> byKey;
  private final int population;

  /**
   * A token of listed names, or several of them in one word.
   *
   * @param names positions of the names that have it, ascending
   */
  private record Word(NameToken token, boolean joined, int[] names) {}

  private NameIndex(Builder builder) {
    population = Math.max(MIN_POPULATION, builder.tokens.size());
    Map<NameToken, Integer> ids = new HashMap<>();
    List<NameToken> words = new ArrayList<>();
    List<IntList> holders = new ArrayList<>();
    List<List<NameToken>> interned = new ArrayList<>();
    for (List<NameToken> tokens : builder.tokens) {
      interned.add(tokens.stream().map(token -> intern(token, ids, words, holders)).toList());
    }
    for (int name = 0; name < interned.size(); name++) {
      for (NameToken token : interned.get(name)) {
        holders.get(id(token, ids)).add(name);
      }
    }
    int single = words.size();
    int[] counts = holders.stream().mapToInt(IntList::size).toArray();
    List<Side> sides = new ArrayList<>();
    for (int name = 0; name < interned.size(); name++) {
      List<NameToken> tokens = interned.get(name);
      double[] weights = new double[tokens.size()];
      double[] bits = new double[tokens.size()];
      for (int i = 0; i < weights.length; i++) {
        int count = counts[id(tokens.get(i), ids)];
        weights[i] = weight(tokens.get(i), count);
        bits[i] = bits(tokens.get(i), count);
      }
      Side side = Side.of(tokens, weights, bits);
      for (NameToken[] row : side.joined()) {
        for (int n = 0; n < row.length; n++) {
          if (row[n] != null) {
            row[n] = intern(row[n], ids, words, holders);
            holders.get(id(row[n], ids)).add(name);
          }
        }
      }
      sides.add(side);
    }
    names = List.copyOf(sides);
    List<Word> all = new ArrayList<>(words.size());
    Map<String, IntList> keys = new HashMap<>();
    for (int id = 0; id < words.size(); id++) {
      NameToken token = words.get(id);
      boolean joined = id >= single;
      all.add(new Word(token, joined, holders.get(id).toArray()));
      for (String key : keys(token, !joined)) {
        keys.computeIfAbsent(key, unknown -> new IntList()).add(id);
      }
    }
    vocabulary = List.copyOf(all);
    byKey = new HashMap<>(keys.size() * 2);
    keys.forEach((key, list) -> byKey.put(key, list.toArray()));
  }

  private static int id(NameToken token, Map<NameToken, Integer> ids) {
    return Objects.requireNonNull(ids.get(token), "the token was added");
  }

  private static NameToken intern(
      NameToken token, Map<NameToken, Integer> ids, List<NameToken> words, List<IntList> holders) {
    Integer id = ids.get(token);
    if (id == null) {
      ids.put(token, words.size());
      words.add(token);
      holders.add(new IntList());
      return token;
    }
    return words.get(id);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** How many names were added. */
  public int size() {
    return names.size();
  }

  /**
   * A name that is like the one asked for.
   *
   * @param name the number that {@link Builder#add} returned
   * @param likeness 0 to 1
   * @param bits how much the likeness tells: about the binary logarithm of how many names one would
   *     have to draw to find such a one by chance
   */
  public record Hit(int name, double likeness, double bits) {}

  /**
   * Names at or above the likeness {@code floor}, in no order.
   *
   * @param wanted which names count
   */
  public List<Hit> search(String name, double floor, IntPredicate wanted) {
    return search(NameNormaliser.tokens(name), floor, wanted);
  }

  private List<Hit> search(List<NameToken> tokens, double floor, IntPredicate wanted) {
    Question question = new Question(tokens);
    List<Hit> hits = new ArrayList<>();
    for (int id : question.promising(wanted)) {
      NameAlignment.Score score = NameAlignment.score(question.side, names.get(id), question);
      if (score.likeness() >= floor) {
        hits.add(new Hit(id, score.likeness(), score.bits()));
      }
    }
    return hits;
  }

  /** Why a listed name is like the one asked for, token by token. */
  public List<TokenMatch> explain(String name, int id) {
    Question question = new Question(NameNormaliser.tokens(name));
    return NameAlignment.explain(question.side, names.get(id), question);
  }

  /** 1 for a token that one name has, falling to {@link #LEAST_WEIGHT} for one that all have. */
  private double weight(NameToken token, int holders) {
    if (token.isParticle()) {
      return token.weight();
    }
    return LEAST_WEIGHT
        + (1 - LEAST_WEIGHT)
            * Math.log((double) population / Math.max(1, holders))
            / Math.log(population);
  }

  private double bits(NameToken token, int holders) {
    return token.isParticle()
        ? 1
        : Math.log((double) population / Math.max(1, holders)) / Math.log(2);
  }

  /** Under these keys a token is found by tokens like it. */
  private static Set<String> keys(NameToken token, boolean withErrors) {
    Set<String> keys = new LinkedHashSet<>();
    keys.add("t" + token.text());
    if (token.isInitial() || token.isNumber()) {
      return keys;
    }
    String phonetic = token.phonetic();
    if (token.writing() != Writing.BARE) {
      keys.add("p" + phonetic);
      if (withErrors && phonetic.length() >= SHORTEST_WITH_ERROR) {
        for (int i = 0; i < phonetic.length(); i++) {
          keys.add("p" + phonetic.substring(0, i) + phonetic.substring(i + 1));
        }
      }
    }
    token.spellings().forEach(spelling -> keys.add("t" + spelling));
    token.readings().keySet().forEach(skeleton -> keys.add("s" + skeleton));
    return keys;
  }

  /** Under these keys a token of a question looks for words. */
  private static Set<String> questionKeys(NameToken token, boolean withErrors) {
    Set<String> keys = keys(token, withErrors);
    if (token.writing() != Writing.BARE && token.skeleton().length() < TELLING_CONSONANTS) {
      // a short word of full letters is still found by one that has consonants only
      keys.removeIf(key -> key.charAt(0) == 's');
    }
    return keys;
  }

  /** Chooses names, for questions that ask for these alone. */
  public Choice choose(IntPredicate wanted) {
    return new Choice(wanted);
  }

  /**
   * Some names of the index. A search answers as one in the index with the same predicate, because
   * the weights are those of all names. It ends early for a name that has no word like one of
   * theirs.
   */
  public final class Choice {
    private final BitSet chosen = new BitSet();

    /** The words of the chosen names by their keys. */
    private final Map<String, List<Word>> words = new HashMap<>();

    private Choice(IntPredicate wanted) {
      for (int name = 0; name < names.size(); name++) {
        chosen.set(name, wanted.test(name));
      }
      byKey.forEach((key, ids) -> {
        List<Word> theirs =
            Arrays.stream(ids)
                .mapToObj(vocabulary::get)
                .filter(word -> !word.token.isParticle())
                .filter(word -> Arrays.stream(word.names).anyMatch(chosen::get))
                .toList();
        if (!theirs.isEmpty()) {
          words.put(key, theirs);
        }
      });
    }

    /**
     * Chosen names at or above the likeness {@code floor}, in no order.
     *
     * @param wanted which of the chosen names count
     */
    public List<Hit> search(String name, double floor, IntPredicate wanted) {
      List<NameToken> tokens = NameNormaliser.tokens(name);
      return touches(tokens)
          ? NameIndex.this.search(tokens, floor, id -> chosen.get(id) && wanted.test(id))
          : List.of();
    }

    /** Whether the index would count a chosen name at all: see {@link Question#promising}. */
    private boolean touches(List<NameToken> tokens) {
      return tokens.stream().anyMatch(token -> touches(token, true))
          || Arrays.stream(NameAlignment.Side.joined(tokens))
              .flatMap(Arrays::stream)
              .anyMatch(joined -> joined != null && touches(joined, false));
    }

    private boolean touches(NameToken token, boolean withErrors) {
      return questionKeys(token, withErrors).stream()
          .flatMap(key -> words.getOrDefault(key, List.of()).stream())
          .anyMatch(word -> TokenLikeness.of(token, word.token) > 0);
    }
  }

  /** A name that is searched, with what was found out about its tokens. */
  private final class Question implements Comparison {
    private final Side side;
    private final List<Map<Integer, Double>> alike = new ArrayList<>();
    private final IdentityHashMap<NameToken, IdentityHashMap<NameToken, Double>> known =
        new IdentityHashMap<>();

    Question(List<NameToken> tokens) {
      double[] weights = new double[tokens.size()];
      double[] bits = new double[tokens.size()];
      for (int i = 0; i < weights.length; i++) {
        NameToken token = tokens.get(i);
        Map<Integer, Double> words = words(token, true);
        alike.add(words);
        double[] rarest = {token.weight(), token.isParticle() ? 1 : bits(token, 1)};
        words.forEach((id, likeness) -> {
          Word word = vocabulary.get(id);
          if (likeness >= SAME_NAME && !word.joined) {
            rarest[0] = Math.min(rarest[0], weight(word.token, word.names.length));
            rarest[1] = Math.min(rarest[1], bits(word.token, word.names.length));
          }
        });
        weights[i] = rarest[0];
        bits[i] = rarest[1];
      }
      side = Side.of(tokens, weights, bits);
    }

    @Override
    public double likeness(NameToken a, NameToken b) {
      return known
          .computeIfAbsent(a, unknown -> new IdentityHashMap<>())
          .computeIfAbsent(b, unknown -> TokenLikeness.of(a, b));
    }

    private Map<Integer, Double> words(NameToken token, boolean withErrors) {
      Map<Integer, Double> words = new HashMap<>();
      for (String key : questionKeys(token, withErrors)) {
        for (int id : byKey.getOrDefault(key, NONE)) {
          if (!words.containsKey(id)) {
            double likeness = likeness(token, vocabulary.get(id).token);
            words.put(id, likeness);
          }
        }
      }
      words.values().removeIf(likeness -> likeness <= 0);
      return words;
    }

    /** The most promising names. */
    private int[] promising(IntPredicate wanted) {
      float[] matched = new float[names.size()];
      float[] best = new float[names.size()];
      double initials = 0;
      IntList touched = new IntList();
      for (int i = 0; i < side.size(); i++) {
        if (side.tokens().get(i).isInitial()) {
          initials += side.weights()[i];
        }
        count(alike.get(i), matched, best, touched);
        for (NameToken joined : side.joined()[i]) {
          if (joined != null) {
            count(words(joined, false), matched, best, touched);
          }
        }
      }
      double total = side.weight(0, side.size());
      List<long[]> ranked = new ArrayList<>();
      for (int at = 0; at < touched.size(); at++) {
        int name = touched.get(at);
        Side listed = names.get(name);
        double promise =
            (matched[name] + initials) / Math.min(total, listed.weight(0, listed.size()));
        matched[name] = 0;
        if (promise >= PROMISING && wanted.test(name)) {
          ranked.add(new long[] {Math.round(promise * 1_000_000), name});
        }
      }
      ranked.sort(
          Comparator.<long[]>comparingLong(row -> -row[0]).thenComparingLong(row -> row[1]));
      return ranked.stream().limit(MOST_ALIGNED).mapToInt(row -> (int) row[1]).toArray();
    }

    /** Adds to each name the weight of its word that is most like the token. */
    private void count(Map<Integer, Double> words, float[] matched, float[] best, IntList touched) {
      IntList mine = new IntList();
      words.forEach((id, likeness) -> {
        Word word = vocabulary.get(id);
        if (word.token.isParticle()) {
          return;
        }
        float gain = (float) (likeness * (word.joined ? 1 : weight(word.token, word.names.length)));
        for (int name : word.names) {
          if (best[name] == 0) {
            mine.add(name);
          }
          best[name] = Math.max(best[name], gain);
        }
      });
      for (int at = 0; at < mine.size(); at++) {
        int name = mine.get(at);
        if (matched[name] == 0) {
          touched.add(name);
        }
        matched[name] += best[name];
        best[name] = 0;
      }
    }
  }

  private static final int[] NONE = {};

  /** Collects names. */
  public static final class Builder {
    private final List<List<NameToken>> tokens = new ArrayList<>();

    private Builder() {}

    /** Adds a name and returns its number: 0, 1, ... */
    public int add(String name) {
      tokens.add(NameNormaliser.tokens(name));
      return tokens.size() - 1;
    }

    public NameIndex build() {
      return new NameIndex(this);
    }
  }

  /** A growing list of ints, each once in a row. */
  private static final class IntList {
    private int[] items = new int[2];
    private int size;

    void add(int item) {
      if (size > 0 && items[size - 1] == item) {
        return;
      }
      if (size == items.length) {
        items = Arrays.copyOf(items, size * 2);
      }
      items[size++] = item;
    }

    int get(int at) {
      return items[at];
    }

    int size() {
      return size;
    }

    int[] toArray() {
      return Arrays.copyOf(items, size);
    }
  }
}
