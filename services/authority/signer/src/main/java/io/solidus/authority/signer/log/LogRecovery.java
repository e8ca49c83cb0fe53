package io.solidus.authority.signer.log;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.OwnershipRow;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Updates a database restored from an old backup to the state of the sign-log: it writes every
 * serial number that was signed into the spent set of the shard that owns it, for the core whose
 * row the signature rests on, and into the signer's own table. Rows that were only reserved are not
 * restored and need not be, because no signature rests on them. Answers are signed again on
 * request, with the same bytes.
 *
 * <p>It writes nothing before the whole log is verified and both anchors are found in it. It never
 * overwrites a row: a serial number that another core holds stops it. It can be interrupted and run
 * again.
 */
public final class LogRecovery {

  private static final Logger log = LoggerFactory.getLogger(LogRecovery.class);
  private static final int BATCH = 500;

  /**
   * The result of a recovery.
   *
   * @param records of the sign-log
   * @param serials that were missing in the database
   * @param mints whether a mint was among them: then this authority mints nothing more on this UTC
   *     day
   */
  public record Result(long records, long serials, boolean mints) {}

  private final NetworkId network;
  private final int authority;
  private final AuthorityDatabase database;
  private final LogAnchor anchor;
  private final SpentRows spent;
  private final SignedSerials signed;
  private final Optional<Path> anchorFile;
  private final Clock clock;

  /**
   * Makes a recovery.
   *
   * @param anchorFile of the signer; null for none
   */
  public LogRecovery(
      NetworkId network,
      int authority,
      AuthorityDatabase database,
      @Nullable Path anchorFile,
      Clock clock) {
    this.network = network;
    this.authority = authority;
    this.database = database;
    this.anchor = new LogAnchor(database);
    this.spent = new SpentRows(database.jdbc());
    this.signed = new SignedSerials(database);
    this.anchorFile = Optional.ofNullable(anchorFile);
    this.clock = clock;
  }

  /**
   * Recovers, and then opens the log as the signer does, so that the signer accepts the result. The
   * signer must not run.
   *
   * @param logIsNewest a person confirms that the log is the newest one; needed without an anchor
   *     file
   * @throws LogDamagedException when the log is not shown to be complete and newest, or the
   *     database contradicts it
   * @throws IOException when the files cannot be read, or a signer has them open
   * @throws org.springframework.dao.DataAccessException when the database is not available: run it
   *     again
   */
  public Result run(Path signLog, boolean logIsNewest) throws IOException {
    if (Files.notExists(signLog)) {
      throw new LogDamagedException("there is no sign-log: nothing can be recovered from it");
    }
    verify(signLog, logIsNewest);
    Replay replay = new Replay();
    try (SignLogFile file = SignLogFile.open(signLog, genesis(), replay)) {
      replay.flush();
      log.info(
          "{} records of the sign-log, {} serial numbers were missing",
          file.position().sequence(),
          replay.written);
    }
    LogAudit audit = new LogAudit(network, authority, database, anchorFile.orElse(null), true);
    try (SignLog opened = audit.open(signLog)) {
      return new Result(replay.records, replay.written, replay.mints);
    }
  }

  private LogPosition genesis() {
    return HashChain.genesis(network, authority);
  }

  /** Verifies the whole log without changing anything. */
  private void verify(Path signLog, boolean logIsNewest) throws IOException {
    LogPosition inDatabase =
        anchor
            .read()
            .orElseThrow(() ->
                new LogDamagedException(
                    "the database knows of no sign-log: it is not a backup of this authority's"));
    Optional<LogPosition> inFile = positionOfAnchorFile(logIsNewest);
    Set<LogPosition> wanted = new HashSet<>(List.of(inDatabase));
    inFile.ifPresent(wanted::add);
    wanted.remove(genesis());
    Registrations registrations = new Registrations();
    try (SignLogFile file =
        SignLogFile.open(
            signLog,
            genesis(),
            (record, after) -> {
              wanted.remove(after);
              registrations.note(record);
            })) {
      registrations.flush();
      for (LogPosition at : wanted) {
        throw new LogDamagedException(
            "the sign-log ends at record "
                + file.position().sequence()
                + " and does not hold the anchored record "
                + at.sequence()
                + (inFile.filter(at::equals).isPresent()
                    ? " of the anchor file: it is an older one"
                    : ": it is another or an older one"));
      }
      registrations.requireAll();
    }
  }

  private Optional<LogPosition> positionOfAnchorFile(boolean logIsNewest) throws IOException {
    Optional<LogPosition> position = Optional.empty();
    if (anchorFile.isPresent()) {
      try (AnchorFile outer = AnchorFile.open(anchorFile.get())) {
        position = outer.position();
      }
    }
    if (position.isEmpty() && !logIsNewest) {
      throw new LogDamagedException(
          "no anchor file shows that this sign-log is the newest one; a person must confirm that it is the newest");
    }
    return position;
  }

  /**
   * Registrations have no serial numbers, and the log does not name their persons, so the rows of
   * the compliance issuer must exist already.
   */
  private final class Registrations {
    private final List<TxCore> batch = new ArrayList<>();
    private long missing;

    void note(SignRecord record) {
      if (record.family() == Family.REGISTER) {
        batch.add(record.core());
        if (batch.size() == BATCH) {
          flush();
        }
      }
    }

    void flush() {
      missing += spent.missingRegistrations(batch);
      batch.clear();
    }

    void requireAll() {
      if (missing > 0) {
        throw new LogDamagedException(
            "the database lacks "
                + missing
                + " signed registrations, which the log cannot give back: let the compliance issuer take its"
                + " attestations again first");
      }
    }
  }

  private final class Replay implements SignLogFile.Visitor {
    private final List<SignRecord> batch = new ArrayList<>(BATCH);
    private long records;
    private long written;
    private boolean mints;

    @Override
    public void visit(SignRecord record, LogPosition after) {
      records++;
      batch.add(record);
      if (batch.size() == BATCH) {
        flush();
      }
    }

    void flush() {
      if (!batch.isEmpty()) {
        List<SignRecord> taken = List.copyOf(batch);
        signed.restore(taken, records, () -> write(taken));
        batch.clear();
      }
    }

    private void write(List<SignRecord> taken) {
      Map<String, OwnershipRow> owners = owners();
      Map<String, Map<SerialNumber, TxCore>> byOwner = new TreeMap<>();
      for (SignRecord record : taken) {
        if (record.family() != Family.REGISTER) {
          for (int i = 0; i < record.serials().size(); i++) {
            SerialNumber serial = record.serials().get(i);
            byOwner
                .computeIfAbsent(owner(owners, serial), o -> new LinkedHashMap<>())
                .put(serial, record.holders().get(i));
          }
        }
      }
      Set<TxCore> fresh = new HashSet<>();
      byOwner.forEach((schema, rows) -> fresh.addAll(hold(schema, rows)));
      if (taken.stream()
          .anyMatch(record -> record.family() == Family.MINT && fresh.contains(record.core()))) {
        mints = true;
        closeTheDay();
      }
    }

    /**
     * Writes the rows of one shard.
     *
     * @return the cores with new rows
     */
    private Set<TxCore> hold(String schema, Map<SerialNumber, TxCore> rows) {
      JdbcClient jdbc = database.jdbc();
      List<Map.Entry<SerialNumber, TxCore>> sorted =
          rows.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
      byte[][] serials = sorted.stream().map(e -> e.getKey().bytes()).toArray(byte[][]::new);
      byte[][] cores = sorted.stream().map(e -> e.getValue().bytes()).toArray(byte[][]::new);
      Set<TxCore> fresh = new HashSet<>();
      jdbc.sql(
              "INSERT INTO "
                  + schema
                  + ".serials (serial, core)"
                  + " SELECT * FROM unnest(:serials::bytea[], :cores::bytea[]) ON CONFLICT DO NOTHING RETURNING core")
          .param("serials", serials)
          .param("cores", cores)
          .query(rs -> {
            fresh.add(TxCore.of(rs.getBytes(1)));
            written++;
          });
      long held =
          jdbc.sql(
                  "SELECT count(*) FROM unnest(:serials::bytea[], :cores::bytea[]) AS signed(serial, core)"
                      + " JOIN "
                      + schema
                      + ".serials s ON s.serial = signed.serial AND s.core = signed.core")
              .param("serials", serials)
              .param("cores", cores)
              .query(Long.class)
              .single();
      if (held < rows.size()) {
        throw new LogDamagedException(
            schema
                + " holds "
                + (rows.size() - held)
                + " serial numbers of signed cores for other cores: restore the backup again, and let"
                + " no shard run before this is done");
      }
      return fresh;
    }

    /** Closes the day for mints, because the value minted on this day is unknown. */
    private void closeTheDay() {
      database
          .jdbc()
          .sql(
              """
              INSERT INTO authority.mint_days (day, minted_minor) VALUES (:day, :all)
              ON CONFLICT (day) DO UPDATE SET minted_minor = excluded.minted_minor
              """)
          .param("day", LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC))
          .param("all", Long.MAX_VALUE)
          .update();
    }

    /** The ownership rows, with shared locks, so that no range moves meanwhile. */
    private Map<String, OwnershipRow> owners() {
      Map<String, OwnershipRow> owners = new TreeMap<>();
      for (String schema : spent.shardSchemas()) {
        OwnershipRow.readForShare(database.jdbc(), schema)
            .ifPresent(row -> owners.put(schema, row));
      }
      return owners;
    }

    private static String owner(Map<String, OwnershipRow> owners, SerialNumber serial) {
      return owners.entrySet().stream()
          .filter(each -> each.getValue().covers(serial))
          .map(Map.Entry::getKey)
          .findFirst()
          .orElseThrow(() ->
              new LogDamagedException(
                  "no shard of this database owns a serial number of the sign-log"));
    }
  }
}
