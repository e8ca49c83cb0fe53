package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The transfers of correct wallets and their outcomes. */
public final class History {

  private static final class Entry {
    private final long begunAt;
    private final List<String> refusals = new ArrayList<>(0);
    private Operation.Outcome outcome = Operation.Outcome.UNKNOWN;

    Entry(Transfer transfer) {
      this.begunAt = transfer.begunAt();
    }
  }

  private final Map<TxCore, Entry> entries = new LinkedHashMap<>();
  private final Map<String, AtomicLong> refusals = new ConcurrentHashMap<>();
  private final List<Transfer> kept = new ArrayList<>();
  private final int most;
  private final Random sample;
  private long ok;
  private long newestBegunAt;

  /**
   * @param most number of finished transfers to keep whole, so that they can be sent again
   */
  public History(int most) {
    this.most = most;
    this.sample = new Random(most);
  }

  public synchronized void invoke(Transfer transfer) {
    entries.put(transfer.core(), new Entry(transfer));
  }

  public synchronized void end(Transfer transfer, Operation.Outcome outcome) {
    Entry entry = entry(transfer);
    entry.outcome = outcome;
    if (outcome == Operation.Outcome.OK) {
      ok++;
      keep(transfer);
      newestBegunAt =
          ok == 1 || transfer.begunAt() - newestBegunAt > 0 ? transfer.begunAt() : newestBegunAt;
    }
  }

  private Entry entry(Transfer transfer) {
    return Objects.requireNonNull(entries.get(transfer.core()), "the transfer was not recorded");
  }

  /** Keeps each finished transfer with the same probability. */
  private void keep(Transfer transfer) {
    if (kept.size() < most) {
      kept.add(transfer);
    } else {
      long place = sample.nextLong(ok);
      if (place < most) {
        kept.set((int) place, transfer);
      }
    }
  }

  /** Records a final refusal. */
  synchronized void refused(Transfer transfer, int authority, String code) {
    entry(transfer).refusals.add("authority " + authority + ": " + code);
  }

  /** Counts an answer that is not a signature, for the report. */
  void count(String code) {
    refusals.computeIfAbsent(code, c -> new AtomicLong()).incrementAndGet();
  }

  public synchronized long finished() {
    return ok;
  }

  public synchronized long pending() {
    return entries.values().stream()
        .filter(entry -> entry.outcome == Operation.Outcome.UNKNOWN)
        .count();
  }

  /** Whether a transfer that began after a moment of {@link System#nanoTime} has finished. */
  public synchronized boolean finishedSince(long moment) {
    return ok > 0 && newestBegunAt - moment > 0;
  }

  /** The number of finished transfers that began after a moment of {@link System#nanoTime}. */
  public synchronized long finishedOfThoseBegunAfter(long moment) {
    return entries.values().stream()
        .filter(entry -> entry.outcome == Operation.Outcome.OK && entry.begunAt - moment > 0)
        .count();
  }

  /** The finished transfers that are kept. */
  public synchronized Collection<Transfer> finishedTransfers() {
    return List.copyOf(kept);
  }

  public synchronized List<Operation> operations() {
    return entries.entrySet().stream()
        .map(entry ->
            new Operation(
                entry.getKey(), entry.getValue().outcome, List.copyOf(entry.getValue().refusals)))
        .toList();
  }

  public Map<String, Long> refusalCounts() {
    Map<String, Long> counts = new TreeMap<>();
    refusals.forEach((code, count) -> counts.put(code, count.get()));
    return counts;
  }
}
