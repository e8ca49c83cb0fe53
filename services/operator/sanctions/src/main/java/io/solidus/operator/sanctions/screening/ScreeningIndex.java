package io.solidus.operator.sanctions.screening;

import io.solidus.operator.names.NameAlignment;
import io.solidus.operator.names.NameAlignment.Weighted;
import io.solidus.operator.names.NameNormaliser;
import io.solidus.operator.names.NameToken;
import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.list.YearRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Immutable index over the names of all lists. The tokens of a query are compared with the
 * vocabulary, which is small. Only names with a token like one of them are then aligned. It misses
 * a name above the threshold only if no single token of the name matches.
 */
final class ScreeningIndex {
  /** With fewer names than this the list does not show how common a token is. */
  private static final int MIN_POPULATION = 1000;

  private static final double LEAST_WEIGHT = 0.3;
  private static final double PRACTICALLY_EQUAL = 0.95;

  /** Every token of a listed name, once. */
  private final List<Weighted> vocabulary = new ArrayList<>();

  /**
   * For each token of the vocabulary the names that have it, as positions in the two lists below.
   */
  private final List<List<Integer>> postings;

  private final List<Name> names;
  private final List<List<Weighted>> tokensOfNames;
  private final List<Entry> entries;

  private record Entry(ListId list, String reference, EntryKind kind, List<YearRange> births) {}

  /**
   * A listed name.
   *
   * @param entry position in the list of entries
   * @param tokens positions in the vocabulary
   */
  private record Name(int entry, String text, boolean weak, List<Integer> tokens) {}

  private ScreeningIndex(Builder builder) {
    entries = List.copyOf(builder.entries);
    names = List.copyOf(builder.names);
    postings = List.copyOf(builder.postings);
    int population = Math.max(MIN_POPULATION, names.size());
    builder.tokenIds.forEach((token, id) ->
        vocabulary.add(
            new Weighted(
                token,
                token.isParticle()
                    ? token.weight()
                    : rarity(population, postings.get(id).size()))));
    tokensOfNames =
        names.stream().map(name -> name.tokens.stream().map(vocabulary::get).toList()).toList();
  }

  static ScreeningIndex empty() {
    return new Builder().build();
  }

  int size() {
    return entries.size();
  }

  /** 1 for a token that one name has, falling to {@link #LEAST_WEIGHT} for one that all have. */
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
    List<Weighted> query = new ArrayList<>();
    Set<Integer> candidates = new HashSet<>();
    NameNormaliser.Name asked = NameNormaliser.normalise(fullName);
    asked.joined().forEach(token -> weightAndCandidates(token, candidates));
    for (NameToken token : asked.tokens()) {
      query.add(new Weighted(token, weightAndCandidates(token, candidates)));
    }
    Map<Integer, Match> best = new HashMap<>();
    for (int id : candidates) {
      Name name = names.get(id);
      Entry entry = entries.get(name.entry);
      if (!kinds.contains(entry.kind)) {
        continue;
      }
      double score = NameAlignment.score(query, tokensOfNames.get(id));
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

  /** The weight of a query's token; adds the names that have a token like it. */
  private double weightAndCandidates(NameToken token, Set<Integer> candidates) {
    double weight = token.weight();
    for (int id = 0; id < vocabulary.size(); id++) {
      Weighted listed = vocabulary.get(id);
      double likeness = token.likeness(listed.token());
      if (likeness > PRACTICALLY_EQUAL) {
        weight = Math.min(weight, listed.weight());
      }
      if (likeness > 0 && !listed.token().isParticle()) {
        candidates.addAll(postings.get(id));
      }
    }
    return weight;
  }

  /** Collects entries; aliases of another list's entries are joined by their reference. */
  static final class Builder {
    private final List<Entry> entries = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final Map<NameToken, Integer> tokenIds = new LinkedHashMap<>();
    private final List<List<Integer>> postings = new ArrayList<>();
    private final Map<String, Integer> byReference = new HashMap<>();

    void add(ListId list, ListedEntry entry) {
      int id = entries.size();
      entries.add(new Entry(list, entry.reference(), entry.kind(), entry.birthYears()));
      byReference.putIfAbsent(list.id() + '/' + entry.reference(), id);
      addNames(id, entry);
    }

    /** Adds names to an entry of {@code list}; names of an entry it lacks are left out. */
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
      NameNormaliser.Name normalised = NameNormaliser.normalise(text);
      if (normalised.tokens().isEmpty()) {
        return;
      }
      int name = names.size();
      List<Integer> ids = normalised.tokens().stream().map(this::tokenId).toList();
      names.add(new Name(entry, text, weak, ids));
      Stream.concat(ids.stream(), normalised.joined().stream().map(this::tokenId))
          .distinct()
          .forEach(id -> postings.get(id).add(name));
    }

    private int tokenId(NameToken token) {
      return tokenIds.computeIfAbsent(
          token,
          unknown -> {
            postings.add(new ArrayList<>(2));
            return postings.size() - 1;
          });
    }

    ScreeningIndex build() {
      return new ScreeningIndex(this);
    }
  }
}
