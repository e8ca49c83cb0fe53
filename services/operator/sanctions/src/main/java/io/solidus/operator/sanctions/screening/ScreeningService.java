package io.solidus.operator.sanctions.screening;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.operator.names.NameMatcher;
import io.solidus.operator.names.NameReading;
import io.solidus.operator.names.NameReading.Outcome;
import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListStore;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Screens persons against the newest version of every list, also of lists that another instance
 * imported. Without any list it refuses to answer, because "no match" would be false.
 */
@Service
class ScreeningService {
  private final ListStore store;
  private final SanctionsProperties.ScreeningSettings settings;
  private final TransactionTemplate snapshot;
  private final Timer timer;
  private final ReentrantLock building = new ReentrantLock();
  private volatile Loaded loaded = new Loaded(Map.of(), ScreeningIndex.empty());
  private volatile @Nullable Delta delta;
  private volatile @Nullable Ahead ahead;

  private record Loaded(Map<ListId, Long> heads, ScreeningIndex index) {}

  /**
   * What changed between an earlier and the newest version of the lists.
   *
   * @param changed the entries of the newest version that the earlier one has not
   */
  private record Delta(
      Map<ListId, Long> heads, Map<ListId, Long> since, ScreeningIndex.Part changed) {}

  /**
   * The lists as they will be when an import is accepted.
   *
   * @param changed the entries that the lists do not have already
   */
  private record Ahead(
      Map<ListId, Long> heads, ListId list, long version, ScreeningIndex.Part changed) {
    boolean is(Map<ListId, Long> heads, ListId list, long version) {
      return this.heads.equals(heads) && this.list == list && this.version == version;
    }
  }

  ScreeningService(
      ListStore store,
      SanctionsProperties properties,
      PlatformTransactionManager transactions,
      MeterRegistry metrics) {
    this.store = store;
    this.settings = properties.screening();
    this.snapshot = new TransactionTemplate(transactions);
    // one snapshot for all lists
    this.snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
    this.snapshot.setReadOnly(true);
    this.timer = Timer.builder("solidus.sanctions.screening.duration").register(metrics);
  }

  /** What a screening is made against: a clearance holds for this and nothing newer. */
  record Basis(Map<ListId, Long> versions, String matcher, double threshold) {}

  /** What a screening found. */
  enum Verdict {
    /** Nothing. */
    CLEAR,
    /** At least one entry. */
    MATCH,
    /** Nothing, but the name could not be compared with names in Latin letters. */
    UNREADABLE
  }

  /** The matches and what they were found against. */
  record Result(List<Match> matches, boolean cut, Verdict verdict, Basis basis) {}

  /**
   * The newest basis, without loading a list.
   *
   * @throws ProtocolException unavailable when no list was imported
   */
  Basis basis() {
    return basis(heads());
  }

  /**
   * Screens one person.
   *
   * @throws ProtocolException unavailable when no list was imported
   */
  Result screen(Asked asked) {
    Loaded current = current();
    return screen(asked, current.heads, current.index.whole());
  }

  /**
   * Screens persons, all against the same versions.
   *
   * @param since versions of lists: entries that are the same in these are left out, because an
   *     earlier screening compared them; null to compare all. A version whose entries are no longer
   *     kept leaves nothing out.
   * @throws ProtocolException unavailable when no list was imported
   */
  List<Result> screen(List<Asked> persons, @Nullable Map<ListId, Long> since) {
    Loaded current = current();
    ScreeningIndex.Part part = since == null ? current.index.whole() : changed(current, since);
    return persons.stream().map(asked -> screen(asked, current.heads, part)).toList();
  }

  /**
   * Compares persons with what a version that waits for its decision adds or changes. The index is
   * of all lists, because how rare a name is depends on all of them.
   */
  List<Result> screenWaiting(ListId list, long version, List<Asked> persons) {
    Map<ListId, Long> heads = store.heads();
    Ahead index = ahead;
    if (index == null || !index.is(heads, list, version)) {
      building.lock();
      try {
        index = ahead;
        if (index == null || !index.is(heads, list, version)) {
          index = snapshot.execute(status -> loadAhead(list, version));
          ahead = index;
        }
      } finally {
        building.unlock();
      }
    }
    Ahead found = index;
    return persons.stream().map(asked -> screen(asked, found.heads, found.changed)).toList();
  }

  /** Gives back the memory of {@link #screenWaiting}. */
  void forgetWaiting() {
    ahead = null;
  }

  private Ahead loadAhead(ListId list, long version) {
    Map<ListId, Long> heads = Map.copyOf(store.heads());
    Map<ListId, Long> then = new EnumMap<>(heads);
    then.put(list, version);
    Set<String> known = entries(heads).digests();
    return new Ahead(heads, list, version, entries(then).build().without(known));
  }

  private Result screen(Asked asked, Map<ListId, Long> heads, ScreeningIndex.Part part) {
    ScreeningIndex.Found found =
        timer.record(() -> part.search(asked, settings.threshold(), settings.maxMatches()));
    return new Result(found.matches(), found.cut(), verdict(asked, found), basis(heads));
  }

  private static Verdict verdict(Asked asked, ScreeningIndex.Found found) {
    if (!found.matches().isEmpty()) {
      return Verdict.MATCH;
    }
    List<NameReading> readings = asked.names().stream().map(NameReading::read).toList();
    boolean mixed =
        readings.stream().anyMatch(reading -> reading.outcome() == Outcome.MIXED_SCRIPTS);
    return mixed || readings.stream().noneMatch(NameReading::readable)
        ? Verdict.UNREADABLE
        : Verdict.CLEAR;
  }

  private Basis basis(Map<ListId, Long> heads) {
    return new Basis(heads, NameMatcher.VERSION, settings.threshold());
  }

  private Map<ListId, Long> heads() {
    Map<ListId, Long> heads = store.heads();
    if (heads.getOrDefault(ListId.UN, 0L) == 0 && heads.getOrDefault(ListId.OFAC, 0L) == 0) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "no sanctions list has been imported yet");
    }
    return heads;
  }

  private Loaded current() {
    Map<ListId, Long> heads = heads();
    Loaded current = loaded;
    if (current.heads.equals(heads)) {
      return current;
    }
    building.lock();
    try {
      if (!loaded.heads.equals(heads)) {
        loaded = snapshot.execute(status -> load());
      }
      return loaded;
    } finally {
      building.unlock();
    }
  }

  private Loaded load() {
    Map<ListId, Long> heads = store.heads();
    return new Loaded(Map.copyOf(heads), entries(heads).build());
  }

  private ScreeningIndex.Builder entries(Map<ListId, Long> versions) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    for (ListId list : List.of(ListId.UN, ListId.OFAC)) {
      store.forEachEntry(list, versions.getOrDefault(list, 0L), entry -> builder.add(list, entry));
    }
    store.forEachEntry(
        ListId.OFAC_ALT,
        versions.getOrDefault(ListId.OFAC_ALT, 0L),
        entry -> builder.addAliases(ListId.OFAC, entry));
    return builder;
  }

  /** The last answer is kept: who screens many persons asks for the same again and again. */
  private ScreeningIndex.Part changed(Loaded current, Map<ListId, Long> since) {
    Delta known = delta;
    if (known != null && known.heads.equals(current.heads) && known.since.equals(since)) {
      return known.changed;
    }
    building.lock();
    try {
      known = delta;
      if (known == null || !known.heads.equals(current.heads) || !known.since.equals(since)) {
        Set<String> unchanged = snapshot.execute(status -> entries(since).digests());
        known = new Delta(current.heads, Map.copyOf(since), current.index.without(unchanged));
        delta = known;
      }
      return known.changed;
    } finally {
      building.unlock();
    }
  }
}
