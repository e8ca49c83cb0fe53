package io.solidus.operator.sanctions.screening;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListStore;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.EnumSet;
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
 * Screens names against the newest version of every list, also of lists that another instance
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

  private record Loaded(Map<ListId, Long> heads, ScreeningIndex index) {}

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

  /** The matches and the versions of the lists that were searched. */
  record Result(List<Match> matches, Map<ListId, Long> versions, double threshold) {}

  /**
   * Screens one name.
   *
   * @param birthYear ranks the matches; null when it is unknown
   * @param entities also match companies and other organisations
   * @throws ProtocolException unavailable when no list was imported
   */
  Result screen(String fullName, @Nullable Integer birthYear, boolean entities) {
    Loaded current = current();
    Set<EntryKind> kinds = EnumSet.of(EntryKind.INDIVIDUAL);
    if (entities) {
      kinds.add(EntryKind.ENTITY);
    }
    List<Match> matches =
        timer.record(() ->
            current.index.search(
                fullName, birthYear, kinds, settings.threshold(), settings.maxMatches()));
    return new Result(matches, current.heads, settings.threshold());
  }

  private Loaded current() {
    Map<ListId, Long> heads = store.heads();
    if (heads.getOrDefault(ListId.UN, 0L) == 0 && heads.getOrDefault(ListId.OFAC, 0L) == 0) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "no sanctions list has been imported yet");
    }
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
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    for (ListId list : List.of(ListId.UN, ListId.OFAC)) {
      store.forEachEntry(list, heads.getOrDefault(list, 0L), entry -> builder.add(list, entry));
    }
    store.forEachEntry(
        ListId.OFAC_ALT,
        heads.getOrDefault(ListId.OFAC_ALT, 0L),
        entry -> builder.addAliases(ListId.OFAC, entry));
    return new Loaded(Map.copyOf(heads), builder.build());
  }
}
