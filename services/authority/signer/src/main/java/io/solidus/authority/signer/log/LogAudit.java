package io.solidus.authority.signer.log;

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
 * anchors, and the database must hold everything that was ever signed, because otherwise the same
 * serial numbers could be signed for other cores.
 */
public final class LogAudit {

  private static final Logger log = LoggerFactory.getLogger(LogAudit.class);
  private static final int BATCH = 500;

  private final NetworkId network;
  private final int authority;
  private final LogAnchor anchor;
  private final SpentRows spent;
  private final Optional<Path> anchorFile;
  private final SignLogFile.Opener opener;

  /**
   * Makes an audit.
   *
   * @param anchorFile on a volume that is rolled back neither with the log nor with the database;
   *     null for none
   */
  public LogAudit(
      NetworkId network,
      int authority,
      LogAnchor anchor,
      SpentRows spent,
      @Nullable Path anchorFile) {
    this(network, authority, anchor, spent, anchorFile, SignLogFile.OF_THE_FILE_SYSTEM);
  }

  LogAudit(
      NetworkId network,
      int authority,
      LogAnchor anchor,
      SpentRows spent,
      @Nullable Path anchorFile,
      SignLogFile.Opener opener) {
    this.network = network;
    this.authority = authority;
    this.anchor = anchor;
    this.spent = spent;
    this.anchorFile = Optional.ofNullable(anchorFile);
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
        anchorFile.isPresent() ? Optional.of(AnchorFile.open(anchorFile.get())) : Optional.empty();
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
    Replay replay = new Replay(genesis);
    inDatabase.ifPresent(replay::lookFor);
    inFile.ifPresent(replay::lookFor);
    SignLogFile file = SignLogFile.open(path, genesis, replay, opener);
    try {
      replay.flush();
      LogPosition end = file.position();
      requireKnown(inDatabase, end);
      inDatabase.ifPresent(at -> requireReached(replay, at, end, ""));
      inFile.ifPresent(at ->
          requireReached(
              replay, at, end, " of the anchor file: log and database were rolled back together"));
      outer.ifPresent(anchors -> anchors.requireMayBegin(end));
      long torn = file.cutTornTail();
      if (torn > 0) {
        log.warn(
            "removed {} bytes of a record that a crash or a failed write left torn in the sign-log",
            torn);
      }
      moveTo(end, genesis, inDatabase, outer);
      return new SignLog(file, anchor, outer, end, spent::requireSigned);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Moves the anchors to the end of the log; a crash between a write to the log and the write to
   * its anchors leaves the anchors behind the log.
   */
  private void moveTo(
      LogPosition end,
      LogPosition genesis,
      Optional<LogPosition> inDatabase,
      Optional<AnchorFile> outer)
      throws IOException {
    if (inDatabase.isEmpty()) {
      anchor.create(genesis);
    }
    LogPosition from = inDatabase.orElse(genesis);
    if (!from.equals(end)) {
      anchor.advance(from, end);
    }
    if (outer.isPresent()) {
      outer.get().moveTo(end);
    }
  }

  private static void requireKnown(Optional<LogPosition> inDatabase, LogPosition end) {
    if (inDatabase.isEmpty() && end.sequence() > 0) {
      throw new LogDamagedException(
          "the sign-log holds "
              + end.sequence()
              + " records but the database knows of none: it is another or an older one");
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
    private final LogPosition genesis;
    private final Set<LogPosition> notSeen = new HashSet<>();
    private final List<SignRecord> batch = new ArrayList<>(BATCH);

    Replay(LogPosition genesis) {
      this.genesis = genesis;
    }

    void lookFor(LogPosition anchored) {
      if (!anchored.equals(genesis)) {
        notSeen.add(anchored);
      }
    }

    @Override
    public void visit(SignRecord record, LogPosition after) {
      notSeen.remove(after);
      batch.add(record);
      if (batch.size() == BATCH) {
        flush();
      }
    }

    void flush() {
      spent.requireSigned(batch);
      batch.clear();
    }
  }
}
