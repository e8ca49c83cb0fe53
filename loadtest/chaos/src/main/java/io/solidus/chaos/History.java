package io.solidus.chaos;

import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What correct wallets asked for and what came of it. */
final class History {

  private static final class Entry {
    private final Transfer transfer;
    private final List<String> refusals = new ArrayList<>();
    private Operation.Outcome outcome = Operation.Outcome.UNKNOWN;

    Entry(Transfer transfer) {
      this.transfer = transfer;
    }
  }

  private final Map<TxCore, Entry> entries = new LinkedHashMap<>();
  private final Map<String, AtomicLong> refusals = new ConcurrentHashMap<>();
  private long ok;
  private long newestBegunAt;

  synchronized void invoke(Transfer transfer) {
    entries.put(transfer.core(), new Entry(transfer));
  }

  synchronized void end(Transfer transfer, Operation.Outcome outcome) {
    Entry entry = entries.get(transfer.core());
    entry.outcome = outcome;
    if (outcome == Operation.Outcome.OK) {
      ok++;
      newestBegunAt = ok == 1 || transfer.begunAt() - newestBegunAt > 0 ? transfer.begunAt() : newestBegunAt;
    }
  }

  /** A refusal that no second try changes. */
  synchronized void refused(Transfer transfer, int authority, String code) {
    entries.get(transfer.core()).refusals.add("authority " + authority + ": " + code);
  }

  /** Any other answer than a signature, counted for the report. */
  void count(String code) {
    refusals.computeIfAbsent(code, c -> new AtomicLong()).incrementAndGet();
  }

  synchronized long finished() {
    return ok;
  }

  synchronized long pending() {
    return entries.values().stream().filter(entry -> entry.outcome == Operation.Outcome.UNKNOWN).count();
  }

  /** Whether a transfer that was begun after a moment of {@link System#nanoTime} is finished. */
  synchronized boolean finishedSince(long moment) {
    return ok > 0 && newestBegunAt - moment > 0;
  }

  /** How many transfers were begun after a moment of {@link System#nanoTime} and are finished. */
  synchronized long finishedOfThoseBegunAfter(long moment) {
    return entries.values().stream()
        .filter(entry -> entry.outcome == Operation.Outcome.OK && entry.transfer.begunAt() - moment > 0)
        .count();
  }

  synchronized Collection<Transfer> finishedTransfers() {
    return entries.values().stream()
        .filter(entry -> entry.outcome == Operation.Outcome.OK)
        .map(entry -> entry.transfer)
        .toList();
  }

  synchronized List<Operation> operations() {
    return entries.values().stream()
        .map(entry -> new Operation(entry.transfer.core(), entry.outcome, List.copyOf(entry.refusals)))
        .toList();
  }

  Map<String, Long> refusalCounts() {
    Map<String, Long> counts = new TreeMap<>();
    refusals.forEach((code, count) -> counts.put(code, count.get()));
    return counts;
  }
}
