package io.solidus.validator.signer.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Appends records durably: a record's future completes when it is fsynced in the log and the anchor has moved past it.
 * One thread writes; what arrives while it writes shares the next fsync and the next anchor update.
 */
public final class SignLog implements AutoCloseable {

  static final int MAX_GROUP = 128;
  private static final int MAX_WAITING = 1024;
  private static final long POLL_MILLIS = 200;

  private record Pending(SignRecord record, CompletableFuture<LogPosition> done) {}

  private final SignLogFile file;
  private final LogAnchor anchor;
  private final BlockingQueue<Pending> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread writer;

  /** Where the anchor may stand: one place, or more after an update whose outcome never arrived. */
  private final Set<LogPosition> anchored = new LinkedHashSet<>();

  private volatile @Nullable RuntimeException failure;
  private volatile boolean closed;

  SignLog(SignLogFile file, LogAnchor anchor, LogPosition anchored) {
    this.file = file;
    this.anchor = anchor;
    this.anchored.add(anchored);
    this.writer = Thread.ofPlatform().name("sign-log").daemon().start(this::run);
  }

  /** Empty when too many records are waiting. */
  public Optional<CompletableFuture<LogPosition>> append(SignRecord record) {
    Pending pending = new Pending(record, new CompletableFuture<>());
    RuntimeException why = failure;
    if (closed || why != null) {
      pending.done().completeExceptionally(why != null ? why : new IllegalStateException("the sign-log is closed"));
      return Optional.of(pending.done());
    }
    return waiting.offer(pending) ? Optional.of(pending.done()) : Optional.empty();
  }

  /** Why nothing can be signed until a person has looked; empty while all is well. */
  public Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      writer.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    file.close();
  }

  private void run() {
    List<Pending> group = new ArrayList<>();
    while (!closed || !waiting.isEmpty()) {
      group.clear();
      if (!take(group)) {
        continue;
      }
      try {
        LogPosition after = write(group);
        group.forEach(p -> p.done().complete(after));
      } catch (RuntimeException e) {
        group.forEach(p -> p.done().completeExceptionally(e));
      }
    }
  }

  private boolean take(List<Pending> group) {
    try {
      Pending first = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (first == null) {
        return false;
      }
      group.add(first);
      waiting.drainTo(group, MAX_GROUP - 1);
      return true;
    } catch (InterruptedException e) {
      closed = true;
      return false;
    }
  }

  private LogPosition write(List<Pending> group) {
    RuntimeException earlier = failure;
    if (earlier != null) {
      throw earlier;
    }
    try {
      LogPosition after = file.append(group.stream().map(Pending::record).toList());
      advance(after);
      return after;
    } catch (IOException e) {
      failure = new UncheckedIOException("the sign-log cannot be written", e);
      throw failure;
    } catch (LogDamagedException e) {
      failure = e;
      throw e;
    }
  }

  /** A database that is away fails this group only; the anchor then catches up with the next one. */
  private void advance(LogPosition to) {
    LogPosition from = anchored.size() == 1 ? anchored.iterator().next() : settle();
    anchored.add(to);
    anchor.advance(from, to);
    anchored.clear();
    anchored.add(to);
  }

  private LogPosition settle() {
    LogPosition found = anchor.read().filter(anchored::contains).orElseThrow(SignLog::rolledBack);
    anchored.clear();
    anchored.add(found);
    return found;
  }

  private static LogDamagedException rolledBack() {
    return new LogDamagedException("the database's anchor of the sign-log is not where this signer left it");
  }
}
