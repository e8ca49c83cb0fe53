package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.list.YearRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Immutable index over the names of all lists. A query's tokens are compared with the vocabulary,
 * which is small; only names that hold a token like one of them are then aligned. No name above the
 * threshold is missed by this except one that matches in no single token.
 */
final class ScreeningIndex {
  /** Names fewer than this say nothing about how common a token is. */
  private static final int MIN_POPULATION = 1000;

  private static final double PARTICLE_WEIGHT = 0.2;
  private static final double LEAST_WEIGHT = 0.3;

  private final List<Token> vocabulary = new ArrayList<>();
  private final List<int[]> postings = new ArrayList<>();
  private final double[] weights;
  private final List<Name> names;
  private final List<Entry> entries;

  private record Entry(ListId list, String reference, EntryKind kind, List<YearRange> births) {}

  private record Name(int entry, String text, boolean weak, int[] tokens) {}

  private ScreeningIndex(Builder builder) {
    names = List.copyOf(builder.names);
    entries = List.copyOf(builder.entries);
    weights = new double[builder.tokens.size()];
    int population = Math.max(MIN_POPULATION, names.size());
    for (int id = 0; id < builder.tokens.size(); id++) {
      Token token = builder.tokens.get(id);
      int[] holders = builder.holders.get(id).stream().mapToInt(Integer::intValue).toArray();
      vocabulary.add(token);
      postings.add(holders);
      weights[id] = token.isParticle() ? PARTICLE_WEIGHT : rarity(population, holders.length);
    }
  }

  static ScreeningIndex empty() {
    return new Builder().build();
  }

  int size() {
    return entries.size();
  }

  /** 1 for a token one name has, falling to {@link #LEAST_WEIGHT} for one that all have. */
  private static double rarity(int population, int holders) {
    return LEAST_WEIGHT
        + (1 - LEAST_WEIGHT)
            * Math.log((double) population / Math.max(1, holders))
            / Math.log(population);
  }

  /**
   * Entries with a name at or above the threshold, the best first.
   *
   * @param birthYear ranks the matches where it is known
   */
  List<Match> search(
      String fullName,
      @Nullable Integer birthYear,
      Set<EntryKind> kinds,
      double threshold,
      int limit) {
    List<Token> tokens = Token.ofName(fullName);
    double[] queryWeights = new double[tokens.size()];
    Set<Integer> candidates = candidates(tokens, queryWeights);
    NameAlignment.Side query = new NameAlignment.Side(tokens, queryWeights);
    Map<Integer, Match> best = new HashMap<>();
    for (int id : candidates) {
      Name name = names.get(id);
      Entry entry = entries.get(name.entry);
      if (!kinds.contains(entry.kind)) {
        continue;
      }
      double score = NameAlignment.score(query, side(name));
      Match known = best.get(name.entry);
      if (score >= threshold && (known == null || known.score() < score)) {
        BirthYearAgreement agreement = BirthYearAgreement.of(birthYear, entry.births);
        best.put(
            name.entry,
            new Match(
                entry.list, entry.reference, entry.kind, name.text, name.weak, score, agreement));
      }
    }
    return best.values().stream()
        .sorted(Comparator.comparingDouble(Match::rank).reversed().thenComparing(Match::reference))
        .limit(limit)
        .toList();
  }

  /**
   * Names with a token like one of the query's; fills in what each of the query's tokens weighs.
   */
  private Set<Integer> candidates(List<Token> tokens, double[] queryWeights) {
    Set<Integer> candidates = new HashSet<>();
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      double weight = token.isParticle() ? PARTICLE_WEIGHT : 1;
      for (int id = 0; id < vocabulary.size(); id++) {
        double likeness = token.likeness(vocabulary.get(id));
        if (likeness == 0) {
          continue;
        }
        if (likeness > 0.95) {
          weight = Math.min(weight, weights[id]);
        }
        if (!vocabulary.get(id).isParticle()) {
          for (int name : postings.get(id)) {
            candidates.add(name);
          }
        }
      }
      queryWeights[i] = weight;
    }
    return candidates;
  }

  private NameAlignment.Side side(Name name) {
    List<Token> tokens = new ArrayList<>(name.tokens.length);
    double[] nameWeights = new double[name.tokens.length];
    for (int i = 0; i < name.tokens.length; i++) {
      tokens.add(vocabulary.get(name.tokens[i]));
      nameWeights[i] = weights[name.tokens[i]];
    }
    return new NameAlignment.Side(tokens, nameWeights);
  }

  /** Collects entries; aliases of another list's entries are joined by their reference. */
  static final class Builder {
    private final List<Entry> entries = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final Map<String, Integer> tokenIds = new HashMap<>();
    private final List<Token> tokens = new ArrayList<>();
    private final List<List<Integer>> holders = new ArrayList<>();
    private final Map<String, Integer> byReference = new HashMap<>();

    void add(ListId list, ListedEntry entry) {
      int id = entries.size();
      entries.add(new Entry(list, entry.reference(), entry.kind(), entry.birthYears()));
      byReference.putIfAbsent(list.id() + '/' + entry.reference(), id);
      addNames(id, entry);
    }

    /**
     * Further names of an entry of {@code list}; those of an entry it does not have are left out.
     */
    void addAliases(ListId list, ListedEntry aliases) {
      Integer id = byReference.get(list.id() + '/' + aliases.reference());
      if (id != null) {
        addNames(id, aliases);
      }
    }

    private void addNames(int entry, ListedEntry listed) {
      listed.names().forEach(name -> addName(entry, name, false));
      listed.weakNames().forEach(name -> addName(entry, name, true));
    }

    private void addName(int entry, String text, boolean weak) {
      int[] ids = NameNormaliser.tokens(text).stream().mapToInt(this::tokenId).toArray();
      if (ids.length == 0) {
        return;
      }
      int name = names.size();
      names.add(new Name(entry, text, weak, ids));
      for (int id : ids) {
        List<Integer> list = holders.get(id);
        if (list.isEmpty() || list.getLast() != name) {
          list.add(name);
        }
      }
    }

    private int tokenId(String text) {
      return tokenIds.computeIfAbsent(
          text,
          unknown -> {
            tokens.add(Token.of(unknown));
            holders.add(new ArrayList<>(2));
            return tokens.size() - 1;
          });
    }

    ScreeningIndex build() {
      return new ScreeningIndex(this);
    }
  }
}
