package io.solidus.authority.signer.log;

import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends records durably: the future of a batch completes when the batch is fsynced in the log,
 * its serial numbers are in the signer's own table and the anchors have moved past it. One thread
 * writes; batches that arrive meanwhile share the next fsync and the next transaction.
 */
public final class SignLog implements AutoCloseable {

  /** The most records of one batch. */
  public static final int MAX_BATCH = 256;

  /** The most records of one fsync: two whole batches. */
  static final int MAX_GROUP = 2 * MAX_BATCH;

  /** The most records that wait. */
  private static final int MAX_WAITING = 8 * MAX_BATCH;

  private static final long POLL_MILLIS = 200;

  private record Pending(List<SignRecord> records, CompletableFuture<LogPosition> done) {
    boolean holdsOneOf(Set<TxCore> cores) {
      return records.stream().anyMatch(record -> cores.contains(record.core()));
    }
  }

  /** Records in the log whose transaction has an unknown outcome. */
  private record Unsettled(LogPosition from, LogPosition to, List<SignRecord> records) {}

  /**
   * What the audit compared.
   *
   * @param lines of the tables, from before they were compared
   * @param swept where the sweep goes on
   * @param trusted every record before it was not compared at this start; the sweep ends there
   * @param requireHeld requires that the tables hold records
   * @param every the records after which the checkpoint moves, and so the most that a start after a
   *     crash compares
   */
  record Audited(
      AuditCheckpoint checkpoint,
      ComparedTables tables,
      Set<String> lines,
      Mark swept,
      Mark trusted,
      Consumer<List<SignRecord>> requireHeld,
      long every) {}

  private final SignLogFile file;
  private final LogAnchor anchor;
  private final SignedSerials signed;
  private final Optional<AnchorFile> outer;
  private final Consumer<List<SignRecord>> stillReserved;
  private final Audited audited;
  private final BlockingQueue<Pending> waiting = new LinkedBlockingQueue<>();

  /** Limits the queue: a permit for each record in it. */
  private final Semaphore room = new Semaphore(MAX_WAITING);

  private final Thread writer;
  private final @Nullable LogSweep sweep;

  /** Where the anchor and the signer's own table are; of the writer. */
  private LogPosition anchored;

  /** The tables that the log is compared with; of the writer. */
  private Set<String> tables;

  /** The last transaction, until its outcome is known; of the writer. */
  private @Nullable Unsettled unsettled;

  /** Completes with the reason when the log accepts nothing more. */
  private final CompletableFuture<RuntimeException> failed = new CompletableFuture<>();

  private volatile boolean used;
  private volatile boolean closed;

  /**
   * Starts the writer.
   *
   * @param anchored the position of the database's anchor and of the signer's own table; the anchor
   *     file, if any, is at the end of the log
   * @param stillReserved requires, in the transaction that moves the anchor, that the rows of the
   *     records exist. A standby without the newest of them may have taken over since the signer
   *     looked, and its anchor may still match.
   * @param audited with a checkpoint that is at the end of the log
   */
  SignLog(
      SignLogFile file,
      LogAnchor anchor,
      SignedSerials signed,
      Optional<AnchorFile> outer,
      LogPosition anchored,
      Consumer<List<SignRecord>> stillReserved,
      Audited audited) {
    this.file = file;
    this.anchor = anchor;
    this.signed = signed;
    this.outer = outer;
    this.stillReserved = stillReserved;
    this.anchored = anchored;
    this.audited = audited;
    this.tables = audited.lines();
    this.sweep = sweep();
    this.writer = Thread.ofPlatform().name("sign-log").daemon().start(this::run);
  }

  /** Appends one record, as {@link #append(List)}. */
  public Optional<CompletableFuture<LogPosition>> append(SignRecord record) {
    return append(List.of(record));
  }

  /**
   * Appends records in one fsync. Their signatures may leave when the future is complete, all
   * together. It fails with {@link SignedOtherwiseException} when the signer has signed another
   * core for one of their serial numbers.
   *
   * @param records 1 to {@link #MAX_BATCH}
   * @return the position at or after the last record; empty when too many records are waiting
   */
  public Optional<CompletableFuture<LogPosition>> append(List<SignRecord> records) {
    if (records.isEmpty() || records.size() > MAX_BATCH) {
      throw new IllegalArgumentException("a batch has 1 to " + MAX_BATCH + " records");
    }
    if (SignLogFile.bytesOf(records) > SignLogFile.MAX_APPEND_BYTES) {
      throw new IllegalArgumentException("the records of a batch are too long for one append");
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
   * failed write, and when a table was replaced: the audit then compares everything. It may not
   * after a failed fsync, because the verified bytes need not be on the disk, and not when log and
   * database contradict each other.
   */
  public static boolean mayBeReopened(RuntimeException failure) {
    return failure instanceof TablesReplacedException || isFailedWrite(failure);
  }

  /** Whether a log stopped because the volume took nothing more. */
  public static boolean isFailedWrite(RuntimeException failure) {
    return failure instanceof UncheckedIOException
        && !(failure.getCause() instanceof SyncFailedException);
  }

  /** Whether a record was written since it was opened. */
  public boolean used() {
    return used;
  }

  /**
   * Closes a log that stopped and may be opened again.
   *
   * @throws IOException when what was written cannot be made durable; treated as a failed fsync
   */
  public void closeToReopen() throws IOException {
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
    // after a failure that is for good the checkpoint is gone and stays away
    if (unsettled == null && !writer.isAlive()) {
      audited.checkpoint().moveTo(file.end(), tables);
    }
    closeFiles();
  }

  private @Nullable LogSweep sweep() {
    if (audited.swept().offset() >= audited.trusted().offset()) {
      return null;
    }
    return new LogSweep(
        file,
        audited.checkpoint(),
        audited.swept(),
        audited.trusted(),
        audited.requireHeld(),
        this::stop);
  }

  private void stopWriter() {
    closed = true;
    if (sweep != null) {
      sweep.close();
    }
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
        writeGroup(group);
      } catch (RuntimeException e) {
        group.forEach(p -> p.done().completeExceptionally(e));
      }
    }
  }

  private boolean take(List<Pending> group) {
    try {
      Pending next = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      int records = 0;
      int bytes = 0;
      while (next != null) {
        group.add(next);
        records += next.records().size();
        bytes += SignLogFile.bytesOf(next.records());
        Pending following = waiting.peek();
        boolean fits =
            following != null
                && records + following.records().size() <= MAX_GROUP
                && bytes + SignLogFile.bytesOf(following.records()) <= SignLogFile.MAX_APPEND_BYTES;
        next = fits ? waiting.poll() : null;
      }
      room.release(records);
      return records > 0;
    } catch (InterruptedException e) {
      closed = true;
      return false;
    }
  }

  /** Writes a group, without the batches that hold a core that is never to be signed. */
  private void writeGroup(List<Pending> group) {
    while (!group.isEmpty()) {
      try {
        LogPosition after = write(group.stream().flatMap(p -> p.records().stream()).toList());
        group.forEach(p -> p.done().complete(after));
        return;
      } catch (SignedOtherwiseException e) {
        List<Pending> refused = group.stream().filter(p -> p.holdsOneOf(e.cores())).toList();
        refused.forEach(p -> p.done().completeExceptionally(e));
        group.removeAll(refused);
      }
    }
  }

  private LogPosition write(List<SignRecord> records) {
    Optional<RuntimeException> earlier = failure();
    if (earlier.isPresent()) {
      throw earlier.get();
    }
    try {
      settle();
      anchor.inTransaction(() -> appendAndAnchor(records));
      settled();
    } catch (LogDamagedException | TablesReplacedException e) {
      throw stop(e);
    }
    outer.ifPresent(anchors -> durably(() -> anchors.advance(anchored)));
    used = true;
    AuditCheckpoint checkpoint = audited.checkpoint();
    if (anchored.sequence() - checkpoint.compared().at().sequence() >= audited.every()) {
      checkpoint.moveTo(file.end(), tables);
    }
    return anchored;
  }

  /**
   * Takes the serial numbers first: what may not be signed leaves no record. Then comes the log,
   * which holds each record before the anchor does.
   */
  private void appendAndAnchor(List<SignRecord> records) {
    Set<TxCore> otherwise = signed.add(records);
    if (!otherwise.isEmpty()) {
      throw new SignedOtherwiseException(otherwise);
    }
    requireSameTables();
    durably(() -> unsettled = new Unsettled(anchored, file.append(records), records));
    move(Objects.requireNonNull(unsettled));
  }

  /** Requires the tables that the log was compared with; further ones, of new shards, are added. */
  private void requireSameTables() {
    Set<String> now = audited.tables().lines();
    if (!now.containsAll(tables)) {
      throw new TablesReplacedException();
    }
    tables = now;
  }

  private void move(Unsettled last) {
    anchor.moveBoth(last.from(), last.to());
    stillReserved.accept(last.records());
  }

  /**
   * Finds out whether the last transaction took effect, and repeats it where it did not; that fails
   * unless the anchor is where it was before. An unavailable database fails one group only.
   */
  private void settle() {
    Unsettled last = unsettled;
    if (last == null) {
      return;
    }
    if (!anchor.read().equals(Optional.of(last.to()))) {
      anchor.inTransaction(() -> {
        if (!signed.add(last.records()).isEmpty()) {
          throw SignedSerials.signedTwice();
        }
        move(last);
      });
    }
    settled();
  }

  private void settled() {
    anchored = Objects.requireNonNull(unsettled).to();
    unsettled = null;
  }

  @FunctionalInterface
  private interface FileWork {
    void run() throws IOException;
  }

  /** Writes to a file; a failure stops the log, whatever the transaction around it does. */
  private void durably(FileWork work) {
    try {
      work.run();
    } catch (SyncFailedException e) {
      throw stop(new UncheckedIOException(e.getMessage(), e));
    } catch (IOException e) {
      throw stop(
          new UncheckedIOException("the sign-log, or its anchor file, cannot be written", e));
    }
  }

  private RuntimeException stop(RuntimeException why) {
    if (!mayBeReopened(why)) {
      audited.checkpoint().remove();
    }
    failed.complete(why);
    return why;
  }

  private static IllegalStateException closedException() {
    return new IllegalStateException("the sign-log is closed");
  }
}
