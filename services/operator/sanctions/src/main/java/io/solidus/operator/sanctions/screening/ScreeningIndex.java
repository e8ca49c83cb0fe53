package io.solidus.operator.sanctions.screening;

import io.solidus.operator.names.NameIndex;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.screening.Match.Evidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Immutable index over the entries of all lists: names, and the evidence beside them. */
final class ScreeningIndex {
  /** The most that evidence adds to the likeness of names. */
  private static final double MOST_EVIDENCE = 0.17;

  private static final double SAME_NATIONALITY = 0.02;
  private static final double OTHER_GENDER = -0.06;
  private static final double WEAK_ALIAS = -0.02;

  /** Who has a listed document is a match, whatever her name. */
  private static final double SAME_DOCUMENT = 0.97;

  /** A name with so many bits is had by many of a country's persons, and with so many by one. */
  private static final double COMMON_BITS = 13;

  private static final double RARE_BITS = 24;

  private final NameIndex names;
  private final List<Entry> entries;

  /** For each name of the index its entry, its text, and whether it is weak. */
  private final List<Name> texts;

  private final Map<String, Set<Integer>> byDocument;

  private record Entry(ListId list, ListedEntry listed, String digest) {}

  private record Name(int entry, String text, boolean weak) {}

  private ScreeningIndex(Builder builder) {
    NameIndex.Builder index = NameIndex.builder();
    builder.names.forEach(name -> index.add(name.text));
    names = index.build();
    texts = List.copyOf(builder.names);
    byDocument = Map.copyOf(builder.byDocument);
    entries =
        builder.entries.stream()
            .map(open -> new Entry(open.list, open.entry, open.digest()))
            .toList();
  }

  static ScreeningIndex empty() {
    return new Builder().build();
  }

  int size() {
    return entries.size();
  }

  /** The digests of all entries. */
  Set<String> digests() {
    return entries.stream().map(Entry::digest).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Matches, the best first.
   *
   * @param cut whether there are more
   */
  record Found(List<Match> matches, boolean cut) {}

  /** All entries. */
  Part whole() {
    return new Part(Set.of(), names::search);
  }

  /**
   * The entries without some.
   *
   * @param left digests of entries that are left out
   */
  Part without(Set<String> left) {
    return left.isEmpty()
        ? whole()
        : new Part(
            left,
            names.choose(id -> !left.contains(entries.get(texts.get(id).entry).digest))::search);
  }

  /** Entries with a score at or above the threshold, the best first. */
  Found search(Asked asked, double threshold, int limit) {
    return whole().search(asked, threshold, limit);
  }

  @FunctionalInterface
  private interface NameSearch {
    List<NameIndex.Hit> search(String name, double floor, IntPredicate wanted);
  }

  /** Entries of the index that are compared. How rare a name is depends on all of them. */
  final class Part {
    private final Set<String> left;
    private final NameSearch search;

    private Part(Set<String> left, NameSearch search) {
      this.left = left;
      this.search = search;
    }

    /** Entries with a score at or above the threshold, the best first. */
    Found search(Asked asked, double threshold, int limit) {
      Map<Integer, Candidate> best = new HashMap<>();
      for (String name : asked.names()) {
        List<NameIndex.Hit> hits =
            search.search(
                name,
                threshold - MOST_EVIDENCE,
                id -> counts(entries.get(texts.get(id).entry), asked, left));
        for (NameIndex.Hit hit : hits) {
          Name text = texts.get(hit.name());
          keepBest(best, candidate(asked, name, text, hit));
        }
      }
      documents(asked, left, best);
      List<Candidate> ranked =
          best.values().stream()
              .filter(candidate -> candidate.score >= threshold)
              .sorted(
                  Comparator.comparingDouble(Candidate::score)
                      .reversed()
                      .thenComparing(candidate -> entries.get(candidate.entry).listed.reference()))
              .toList();
      return new Found(
          ranked.stream().limit(limit).map(ScreeningIndex.this::match).toList(),
          ranked.size() > limit);
    }
  }

  private record Candidate(
      int entry,
      String asked,
      int name,
      double likeness,
      BirthAgreement birth,
      List<Evidence> evidence,
      double score) {}

  private static void keepBest(Map<Integer, Candidate> best, Candidate candidate) {
    Candidate known = best.get(candidate.entry);
    if (known == null || known.score < candidate.score) {
      best.put(candidate.entry, candidate);
    }
  }

  private Candidate candidate(Asked asked, String name, Name text, NameIndex.Hit hit) {
    ListedEntry entry = entries.get(text.entry).listed;
    double rarity =
        text.weak
            ? 0
            : Math.clamp((hit.bits() - COMMON_BITS) / (RARE_BITS - COMMON_BITS), 0.0, 1.0);
    BirthAgreement birth = BirthAgreement.of(asked.birthDate(), entry);
    List<Evidence> evidence = new ArrayList<>();
    if (birth != BirthAgreement.UNKNOWN) {
      evidence.add(new Evidence("birth-date", birth.id(), birth.effect(rarity)));
    }
    if (text.weak && hit.likeness() < 1) {
      evidence.add(new Evidence("name", "weak-alias", WEAK_ALIAS));
    }
    if (Nationalities.among(asked.nationality(), entry.details().nationalities())) {
      evidence.add(new Evidence("nationality", "agrees", SAME_NATIONALITY));
    }
    String gender = entry.details().gender();
    if (!gender.isEmpty() && !asked.gender().isEmpty() && !gender.equals(asked.gender())) {
      evidence.add(new Evidence("gender", "differs", OTHER_GENDER));
    }
    double score = hit.likeness() + evidence.stream().mapToDouble(Evidence::effect).sum();
    return new Candidate(
        text.entry, name, hit.name(), hit.likeness(), birth, evidence, Math.clamp(score, 0.0, 1.0));
  }

  private static boolean counts(Entry entry, Asked asked, Set<String> left) {
    return asked.kinds().contains(entry.listed.kind()) && !left.contains(entry.digest);
  }

  private void documents(Asked asked, Set<String> left, Map<Integer, Candidate> best) {
    for (String document : asked.documents()) {
      for (int id : byDocument.getOrDefault(DocumentNumbers.key(document), Set.of())) {
        Entry entry = entries.get(id);
        if (!counts(entry, asked, left)) {
          continue;
        }
        Candidate byName = best.get(id);
        double likeness = byName == null ? 0 : byName.likeness;
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Evidence("document", "agrees", Math.max(0, SAME_DOCUMENT - likeness)));
        best.put(
            id,
            new Candidate(
                id,
                byName == null ? "" : byName.asked,
                byName == null ? -1 : byName.name,
                likeness,
                BirthAgreement.of(asked.birthDate(), entry.listed),
                evidence,
                Math.max(SAME_DOCUMENT, byName == null ? 0 : byName.score)));
      }
    }
  }

  private Match match(Candidate candidate) {
    Entry entry = entries.get(candidate.entry);
    Name name = candidate.name < 0 ? null : texts.get(candidate.name);
    return new Match(
        entry.list,
        entry.listed.reference(),
        entry.listed.kind(),
        name == null ? entry.listed.names().getFirst() : name.text,
        name != null && name.weak,
        candidate.likeness,
        candidate.score,
        candidate.birth,
        entry.digest,
        name == null ? List.of() : names.explain(candidate.asked, candidate.name),
        candidate.evidence);
  }

  /** Collects entries; aliases of another list's entries are joined by their reference. */
  static final class Builder {
    private final List<Open> entries = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final Map<String, Integer> byReference = new HashMap<>();
    private final Map<String, Set<Integer>> byDocument = new LinkedHashMap<>();

    private record Open(ListId list, ListedEntry entry, List<String> aliases) {
      String digest() {
        return EntryDigest.of(list, entry, aliases);
      }
    }

    void add(ListId list, ListedEntry entry) {
      int id = entries.size();
      entries.add(new Open(list, entry, new ArrayList<>()));
      byReference.putIfAbsent(list.id() + '/' + entry.reference(), id);
      entry.details().documents().stream()
          .flatMap(text -> DocumentNumbers.keys(text).stream())
          .forEach(key -> byDocument.computeIfAbsent(key, unknown -> new HashSet<>()).add(id));
      addNames(id, entry);
    }

    /** Adds names to an entry of {@code list}; names of an entry it lacks are left out. */
    void addAliases(ListId list, ListedEntry aliases) {
      Integer id = byReference.get(list.id() + '/' + aliases.reference());
      if (id != null) {
        entries.get(id).aliases.addAll(aliases.names());
        addNames(id, aliases);
      }
    }

    /** The digests of all entries. */
    Set<String> digests() {
      return entries.stream().map(Open::digest).collect(Collectors.toUnmodifiableSet());
    }

    private void addNames(int entry, ListedEntry listed) {
      listed.names().forEach(name -> addName(entry, name, false));
      listed.weakNames().forEach(name -> addName(entry, name, true));
    }

    private void addName(int entry, String text, boolean weak) {
      names.add(new Name(entry, text, weak));
    }

    ScreeningIndex build() {
      return new ScreeningIndex(this);
    }
  }
}
