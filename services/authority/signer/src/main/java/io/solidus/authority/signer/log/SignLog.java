package io.solidus.authority.signer.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Appends records durably: the future of a batch completes when the batch is fsynced in the log and
 * the anchors have moved past it. One thread writes; batches that arrive meanwhile share the next
 * fsync and the next move of the anchors.
 */
public final class SignLog implements AutoCloseable {

  /** The most records of one batch. */
  public static final int MAX_BATCH = 256;

  /** The most records of one fsync: two whole batches. */
  static final int MAX_GROUP = 2 * MAX_BATCH;

  /** The most records that wait. */
  private static final int MAX_WAITING = 8 * MAX_BATCH;

  private static final long POLL_MILLIS = 200;

  private record Pending(List<SignRecord> records, CompletableFuture<LogPosition> done) {}

  private final SignLogFile file;
  private final LogAnchor anchor;
  private final Optional<AnchorFile> outer;
  private final Consumer<List<SignRecord>> stillReserved;
  private final BlockingQueue<Pending> waiting = new LinkedBlockingQueue<>();

  /** Limits the queue: a permit for each record in it. */
  private final Semaphore room = new Semaphore(MAX_WAITING);

  private final Thread writer;

  /**
   * The possible positions of the anchor: one, or several after an update whose outcome is unknown.
   */
  private final Set<LogPosition> anchored = new LinkedHashSet<>();

  /** Completes with the reason when the log accepts nothing more. */
  private final CompletableFuture<RuntimeException> failed = new CompletableFuture<>();

  private volatile boolean used;
  private volatile boolean closed;

  /**
   * Starts the writer.
   *
   * @param anchored the position of the database's anchor; the anchor file, if any, is at the end
   *     of the log
   */
  SignLog(
      SignLogFile file,
      LogAnchor anchor,
      Optional<AnchorFile> outer,
      LogPosition anchored,
      Consumer<List<SignRecord>> stillReserved) {
    this.file = file;
    this.anchor = anchor;
    this.outer = outer;
    this.stillReserved = stillReserved;
    this.anchored.add(anchored);
    this.writer = Thread.ofPlatform().name("sign-log").daemon().start(this::run);
  }

  /** Appends one record, as {@link #append(List)}. */
  public Optional<CompletableFuture<LogPosition>> append(SignRecord record) {
    return append(List.of(record));
  }

  /**
   * Appends records in one fsync. Their signatures may leave when the future is complete, all
   * together.
   *
   * @param records 1 to {@link #MAX_BATCH}
   * @return the position at or after the last record; empty when too many records are waiting
   */
  public Optional<CompletableFuture<LogPosition>> append(List<SignRecord> records) {
    if (records.isEmpty() || records.size() > MAX_BATCH) {
      throw new IllegalArgumentException("a batch has 1 to " + MAX_BATCH + " records");
    }
    Pending pending = new Pending(List.copyOf(records), new CompletableFuture<>());
    Optional<RuntimeException> why = failure();
    if (closed || why.isPresent()) {
      pending.done().completeExceptionally(why.orElseGet(SignLog::closedException));
      return Optional.of(pending.done());
    }
    if (!room.tryAcquire(records.size())) {
      return Optional.empty();
    }
    waiting.add(pending);
    return Optional.of(pending.done());
  }

  /** The reason why the log accepts nothing more; empty while it does. */
  public Optional<RuntimeException> failure() {
    return Optional.ofNullable(failed.getNow(null));
  }

  /** Waits until the log accepts nothing more, and returns the reason. */
  public RuntimeException awaitFailure() throws InterruptedException {
    try {
      return failed.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Whether a log that stopped for this reason may be opened, and verified, again. It may after a
   * failed write. It may not after a failed fsync, because the verified bytes need not be on the
   * disk, and not when log and database contradict each other.
   */
  public static boolean mayBeReopened(RuntimeException failure) {
    return failure instanceof UncheckedIOException
        && !(failure.getCause() instanceof SyncFailedException);
  }

  /** Whether a record was written since it was opened. */
  public boolean used() {
    return used;
  }

  /**
   * Closes a log that stopped after a failed write, so that it can be opened again.
   *
   * @throws IOException when what was written cannot be made durable; treated as a failed fsync
   */
  public void closeAfterFailedWrite() throws IOException {
    stopWriter();
    try {
      file.sync();
      if (outer.isPresent()) {
        outer.get().sync();
      }
    } finally {
      closeFiles();
    }
  }

  @Override
  public void close() throws IOException {
    stopWriter();
    closeFiles();
  }

  private void stopWriter() {
    closed = true;
    try {
      writer.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // batches that arrived while the writer was stopping
    waiting.forEach(p -> p.done().completeExceptionally(closedException()));
  }

  private void closeFiles() throws IOException {
    try (file) {
      if (outer.isPresent()) {
        outer.get().close();
      }
    }
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
      Pending next = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      int records = 0;
      while (next != null) {
        group.add(next);
        records += next.records().size();
        Pending following = waiting.peek();
        boolean fits = following != null && records + following.records().size() <= MAX_GROUP;
        next = fits ? waiting.poll() : null;
      }
      room.release(records);
      return records > 0;
    } catch (InterruptedException e) {
      closed = true;
      return false;
    }
  }

  private LogPosition write(List<Pending> group) {
    Optional<RuntimeException> earlier = failure();
    if (earlier.isPresent()) {
      throw earlier.get();
    }
    try {
      List<SignRecord> records = group.stream().flatMap(p -> p.records().stream()).toList();
      LogPosition after = file.append(records);
      advance(after, records);
      if (outer.isPresent()) {
        outer.get().advance(after);
      }
      used = true;
      return after;
    } catch (SyncFailedException e) {
      throw stop(new UncheckedIOException(e.getMessage(), e));
    } catch (IOException e) {
      throw stop(
          new UncheckedIOException("the sign-log, or its anchor file, cannot be written", e));
    } catch (LogDamagedException e) {
      throw stop(e);
    }
  }

  private RuntimeException stop(RuntimeException why) {
    failed.complete(why);
    return why;
  }

  /**
   * Moves the anchor of the database. An unavailable database fails this group only; the anchor
   * catches up with the next one.
   */
  private void advance(LogPosition to, List<SignRecord> records) {
    LogPosition from = anchored.size() == 1 ? anchored.iterator().next() : readAnchor();
    anchored.add(to);
    anchor.advance(from, to, () -> stillReserved.accept(records));
    anchored.clear();
    anchored.add(to);
  }

  private LogPosition readAnchor() {
    LogPosition found = anchor.read().filter(anchored::contains).orElseThrow(SignLog::rolledBack);
    anchored.clear();
    anchored.add(found);
    return found;
  }

  private static IllegalStateException closedException() {
    return new IllegalStateException("the sign-log is closed");
  }

  private static LogDamagedException rolledBack() {
    return new LogDamagedException(
        "the database's anchor of the sign-log is not where this signer left it");
  }
}
