package io.solidus.authority.signer.log;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the sign-log for signing, or refuses: the chain must verify, the log must reach both
 * anchors, and shards and the signer's own table must hold everything that was ever signed, because
 * otherwise the same serial numbers could be signed for other cores.
 *
 * <p>What an earlier audit compared is not compared again before the signing begins, unless
 * something is doubtful about its {@link AuditCheckpoint}; a {@link LogSweep} does that afterwards.
 */
public final class LogAudit {

  private static final Logger log = LoggerFactory.getLogger(LogAudit.class);
  static final int BATCH = 500;
  private static final long RECORDS_PER_CHECKPOINT = 50_000;

  private final NetworkId network;
  private final int authority;
  private final LogAnchor anchor;
  private final SpentRows spent;
  private final SignedSerials signed;
  private final ComparedTables tables;
  private final Optional<Path> anchorFile;
  private final boolean whole;
  private final DurableFiles.Opener opener;

  /**
   * Makes an audit.
   *
   * @param database with the signer's own schema
   * @param anchorFile on a volume that is rolled back neither with the log nor with the database;
   *     null for none
   * @param whole compares every record, whatever the checkpoint says
   */
  public LogAudit(
      NetworkId network,
      int authority,
      AuthorityDatabase database,
      @Nullable Path anchorFile,
      boolean whole) {
    this(network, authority, database, anchorFile, whole, DurableFiles.OF_THE_FILE_SYSTEM);
  }

  LogAudit(
      NetworkId network,
      int authority,
      AuthorityDatabase database,
      @Nullable Path anchorFile,
      boolean whole,
      DurableFiles.Opener opener) {
    this.network = network;
    this.authority = authority;
    this.anchor = new LogAnchor(database);
    this.spent = new SpentRows(database.jdbc());
    this.signed = new SignedSerials(database);
    this.tables = new ComparedTables(database.jdbc());
    this.anchorFile = Optional.ofNullable(anchorFile);
    this.whole = whole;
    this.opener = opener;
  }

  /**
   * Verifies and opens the log.
   *
   * @throws LogDamagedException when log, database and anchor file disagree: nothing may be signed
   * @throws SyncFailedException when an fsync failed: nothing may be signed
   * @throws IOException when the files cannot be read or written: try again
   * @throws org.springframework.dao.DataAccessException when the database is not available: try
   *     again
   * @throws org.springframework.transaction.TransactionException likewise
   */
  public SignLog open(Path path) throws IOException {
    Optional<AnchorFile> outer =
        anchorFile.isPresent()
            ? Optional.of(AnchorFile.open(anchorFile.get(), opener))
            : Optional.empty();
    try {
      return open(path, outer);
    } catch (IOException | RuntimeException e) {
      if (outer.isPresent()) {
        outer.get().close();
      }
      throw e;
    }
  }

  private SignLog open(Path path, Optional<AnchorFile> outer) throws IOException {
    LogPosition genesis = HashChain.genesis(network, authority);
    Optional<LogPosition> inDatabase = anchor.read();
    Optional<LogPosition> inFile = outer.flatMap(AnchorFile::position);
    signed.requireAnchored();
    Set<String> lines = tables.lines();
    AuditCheckpoint checkpoint = new AuditCheckpoint(path, genesis);
    SignLogFile file = SignLogFile.open(path, genesis, opener);
    try {
      Optional<AuditCheckpoint.Content> trusted =
          trusted(checkpoint, file, lines, inDatabase, inFile);
      Mark beginning = Mark.beginningOf(genesis);
      Mark from = trusted.map(AuditCheckpoint.Content::compared).orElse(beginning);
      Replay replay = new Replay(from.at(), signed.position());
      inDatabase.ifPresent(replay::lookFor);
      inFile.ifPresent(replay::lookFor);
      file.verify(from, replay);
      replay.flush();
      LogPosition end = file.position();
      requireKnown(inDatabase, end);
      inDatabase.ifPresent(at -> requireReached(replay, at, end, ""));
      inFile.ifPresent(at ->
          requireReached(
              replay, at, end, " of the anchor file: log and database were rolled back together"));
      requireTableReached(end);
      outer.ifPresent(anchors -> anchors.requireMayBegin(end));
      long torn = file.cutTornTail();
      if (torn > 0) {
        log.warn(
            "removed {} bytes of a record that a crash or a failed write left torn in the sign-log",
            torn);
      }
      moveTo(end, from, inDatabase, outer, file);
      Mark swept = trusted.map(AuditCheckpoint.Content::swept).orElse(beginning);
      checkpoint.write(new AuditCheckpoint.Content(file.end(), swept, lines));
      return new SignLog(
          file,
          anchor,
          signed,
          outer,
          end,
          spent::requireSigned,
          new SignLog.Audited(
              checkpoint, tables, lines, swept, from, this::requireHeld, RECORDS_PER_CHECKPOINT));
    } catch (IOException | RuntimeException e) {
      if (e instanceof LogDamagedException || e instanceof SyncFailedException) {
        checkpoint.remove();
      }
      file.close();
      throw e;
    }
  }

  /** What the checkpoint says; empty when every record has to be compared. */
  private Optional<AuditCheckpoint.Content> trusted(
      AuditCheckpoint checkpoint,
      SignLogFile file,
      Set<String> lines,
      Optional<LogPosition> inDatabase,
      Optional<LogPosition> inFile)
      throws IOException {
    String doubt;
    try {
      AuditCheckpoint.Content content = checkpoint.read();
      doubt = doubt(content, file, lines, inDatabase, inFile);
      if (doubt.isEmpty()) {
        return Optional.of(content);
      }
    } catch (AuditCheckpoint.UnusableException e) {
      doubt = "of the checkpoint: " + e.getMessage();
    }
    log.info("every record of the sign-log is compared with the tables, because {}", doubt);
    return Optional.empty();
  }

  /** Why a checkpoint does not show what was compared; empty when it does. */
  private String doubt(
      AuditCheckpoint.Content content,
      SignLogFile file,
      Set<String> lines,
      Optional<LogPosition> inDatabase,
      Optional<LogPosition> inFile)
      throws IOException {
    long compared = content.compared().at().sequence();
    if (whole) {
      return "it was asked for";
    } else if (!lines.containsAll(content.tables())) {
      return "a table was dropped, restored or rewritten since the checkpoint";
    } else if (inDatabase.isEmpty() || inDatabase.get().sequence() < compared) {
      return "the database's anchor is before the checkpoint";
    } else if (inFile.isPresent() && inFile.get().sequence() < compared) {
      return "the anchor file is before the checkpoint";
    } else if (signed.position() < compared) {
      return "the signer's own table is before the checkpoint";
    } else if (!file.holds(content.compared()) || !file.holds(content.swept())) {
      return "the checkpoint is not of this log";
    }
    return "";
  }

  private void requireHeld(List<SignRecord> records) {
    spent.requireSigned(records);
    signed.requireAll(records);
  }

  /**
   * Moves the signer's own table and the anchors to the end of the log; a crash between a write to
   * the log and the transaction after it leaves them behind the log.
   */
  private void moveTo(
      LogPosition end,
      Mark compared,
      Optional<LogPosition> inDatabase,
      Optional<AnchorFile> outer,
      SignLogFile file)
      throws IOException {
    if (inDatabase.isEmpty()) {
      anchor.create(compared.at());
    }
    completeTable(file, compared, signed.position());
    LogPosition from = inDatabase.orElse(compared.at());
    if (!from.equals(end)) {
      anchor.advance(from, end);
    }
    if (outer.isPresent()) {
      outer.get().moveTo(end);
    }
  }

  /**
   * Adds the records that the signer's own table lacks behind its position: those of a last
   * transaction that failed, or that a signer without the table wrote.
   */
  private void completeTable(SignLogFile file, Mark from, long position) throws IOException {
    if (position >= file.position().sequence()) {
      return;
    }
    List<SignRecord> batch = new ArrayList<>(BATCH);
    file.replay(
        from,
        (record, after) -> {
          if (after.sequence() > position) {
            batch.add(record);
          }
          if (batch.size() == BATCH || after.equals(file.position())) {
            signed.restore(batch, after.sequence(), () -> {});
            batch.clear();
          }
        });
  }

  private static void requireKnown(Optional<LogPosition> inDatabase, LogPosition end) {
    if (inDatabase.isEmpty() && end.sequence() > 0) {
      throw new LogDamagedException(
          "the sign-log holds "
              + end.sequence()
              + " records but the database knows of none: it is another or an older one");
    }
  }

  private void requireTableReached(LogPosition end) {
    if (signed.position() > end.sequence()) {
      throw new LogDamagedException(
          "the sign-log ends at record "
              + end.sequence()
              + " and the signer's own table holds "
              + signed.position()
              + " records: the log is an older one");
    }
  }

  private static void requireReached(
      Replay replay, LogPosition anchored, LogPosition end, String where) {
    if (replay.notSeen.contains(anchored)) {
      throw new LogDamagedException(
          "the sign-log ends at record "
              + end.sequence()
              + " and does not hold the anchored record "
              + anchored.sequence()
              + where);
    }
  }

  private final class Replay implements SignLogFile.Visitor {
    private final LogPosition from;
    private final Set<LogPosition> notSeen = new HashSet<>();
    private final List<SignRecord> batch = new ArrayList<>(BATCH);

    /** The records of the batch that the signer's own table must hold. */
    private final List<SignRecord> inTable = new ArrayList<>(BATCH);

    private final long tablePosition;

    Replay(LogPosition from, long tablePosition) {
      this.from = from;
      this.tablePosition = tablePosition;
    }

    void lookFor(LogPosition anchored) {
      if (!anchored.equals(from)) {
        notSeen.add(anchored);
      }
    }

    @Override
    public void visit(SignRecord record, LogPosition after) {
      notSeen.remove(after);
      batch.add(record);
      if (after.sequence() <= tablePosition) {
        inTable.add(record);
      }
      if (batch.size() == BATCH) {
        flush();
      }
    }

    void flush() {
      spent.requireSigned(batch);
      signed.requireAll(inTable);
      batch.clear();
      inTable.clear();
    }
  }
}
