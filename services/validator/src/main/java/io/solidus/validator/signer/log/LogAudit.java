package io.solidus.validator.signer.log;

import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the sign-log for signing, or refuses: the chain must verify, the log must reach the anchor, and everything that
 * was ever signed must be in the database, for a database without it would let the same serial numbers be signed for
 * something else.
 */
public final class LogAudit {

  private static final Logger log = LoggerFactory.getLogger(LogAudit.class);
  private static final int BATCH = 500;

  private final NetworkId network;
  private final int authority;
  private final LogAnchor anchor;
  private final SpentRows spent;

  public LogAudit(NetworkId network, int authority, LogAnchor anchor, SpentRows spent) {
    this.network = network;
    this.authority = authority;
    this.anchor = anchor;
    this.spent = spent;
  }

  /**
   * @throws LogDamagedException when log and database disagree: nothing may be signed
   * @throws org.springframework.dao.DataAccessException when the database cannot be asked: try again
   */
  public SignLog open(Path path) throws IOException {
    LogPosition genesis = HashChain.genesis(network, authority);
    Optional<LogPosition> expected = anchor.read();
    Replay replay = new Replay(expected.orElse(genesis), genesis);
    SignLogFile file = SignLogFile.open(path, genesis, replay);
    try {
      replay.flush();
      requireAnchorReached(replay, expected, file.position());
      long torn = file.cutTornTail();
      if (torn > 0) {
        log.warn("removed {} bytes of a record that a crash left half written in the sign-log", torn);
      }
      if (expected.isEmpty()) {
        anchor.create(genesis);
      }
      LogPosition from = expected.orElse(genesis);
      if (!from.equals(file.position())) {
        anchor.advance(from, file.position());
      }
      return new SignLog(file, anchor, file.position());
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static void requireAnchorReached(Replay replay, Optional<LogPosition> expected, LogPosition end) {
    if (expected.isEmpty() && end.sequence() > 0) {
      throw new LogDamagedException(
          "the sign-log holds " + end.sequence() + " records but the database knows of none: it is another or an older one");
    }
    if (!replay.anchorSeen) {
      throw new LogDamagedException(
          "the sign-log ends at record " + end.sequence() + " and does not hold the anchored record "
              + expected.map(LogPosition::sequence).orElse(0L));
    }
  }

  private final class Replay implements SignLogFile.Visitor {
    private final LogPosition expected;
    private final List<SignRecord> batch = new ArrayList<>(BATCH);
    private boolean anchorSeen;

    Replay(LogPosition expected, LogPosition genesis) {
      this.expected = expected;
      this.anchorSeen = expected.equals(genesis);
    }

    @Override
    public void visit(SignRecord record, LogPosition after) {
      anchorSeen |= after.equals(expected);
      batch.add(record);
      if (batch.size() == BATCH) {
        flush();
      }
    }

    void flush() {
      List<SpentRows.Spent> rows = new ArrayList<>();
      for (SignRecord record : batch) {
        for (SerialNumber serial : record.serials()) {
          rows.add(new SpentRows.Spent(serial, record.core()));
        }
      }
      long missing = spent.missing(rows);
      if (missing > 0) {
        throw new LogDamagedException(
            "the database lacks " + missing + " serial numbers of signed cores: it was rolled back");
      }
      long unregistered =
          spent.missingRegistrations(
              batch.stream().filter(r -> r.family() == Family.REGISTER).map(SignRecord::core).toList());
      if (unregistered > 0) {
        throw new LogDamagedException(
            "the database lacks " + unregistered + " signed registrations: it was rolled back");
      }
      batch.clear();
    }
  }
}
