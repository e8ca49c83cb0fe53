package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database from an old backup is updated to the sign-log, or left unchanged. */
@Tag("process")
class LogRecoveryTest {

  private static final NetworkId NETWORK = new NetworkId("recovery-test");
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-06-01T12:00:00Z"), ZoneOffset.UTC);

  /** Serial numbers below it belong to shard 0. */
  private static final FieldElement SPLIT = FieldElement.ofLong(5);

  @TempDir Path folder;
  private Path path;
  private @Nullable Path anchorFile;
  private AuthorityDatabase authority;
  private JdbcClient jdbc;

  @BeforeEach
  void open() {
    path = folder.resolve("sign.log");
    anchorFile = folder.resolve("anchor");
    restoreEmpty();
    owns(0, new ShardRange(FieldElement.ZERO, SPLIT));
    owns(1, new ShardRange(SPLIT, null));
  }

  @Test
  void restoresMissingRowsAndTheSignerOpensItsLog() throws Exception {
    signed(0, 1, 2);
    rollBackTo(1);
    assertThatThrownBy(() -> audit().open(path))
        .as("before")
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("lacks");

    LogRecovery.Result result = recovery().run(path, false);

    assertThat(result).isEqualTo(new LogRecovery.Result(3, 6, false));
    for (int n = 0; n < 3; n++) {
      for (SerialNumber serial : SignLogFileTest.record(n).serials()) {
        assertThat(cores(serial))
            .as("of %s", serial)
            .containsExactly(SignLogFileTest.record(n).core().bytes());
      }
    }
    try (SignLog log = audit().open(path)) {
      assertThat(log.failure()).isEmpty();
    }
    assertThat(recovery().run(path, false))
        .as("again")
        .isEqualTo(new LogRecovery.Result(3, 0, false));
  }

  /** A trigger rejects every change of a serial number, so only a new backup helps. */
  @Test
  void stopsAtASerialNumberThatAnotherCoreHolds() throws Exception {
    signed(0, 1);
    rollBackTo(1);
    jdbc.sql("INSERT INTO shard_0.serials VALUES (?, sha256('\\x07'::bytea))")
        .param(SignLogFileTest.record(1).serials().get(0).bytes())
        .update();
    assertThatThrownBy(() -> recovery().run(path, false))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("for other cores");
    assertThat(jdbc.sql("SELECT count(*) FROM shard_1.serials").query(Long.class).single())
        .as("nothing is written")
        .isZero();
  }

  @Test
  void anOlderLogRecoversNothing() throws Exception {
    signed(0, 1);
    byte[] older = Files.readAllBytes(path);
    signed(2);
    rollBackTo(1);
    Files.write(path, older);
    assertThatThrownBy(() -> recovery().run(path, true))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("does not hold the anchored record 3 of the anchor file");
    assertThat(serials()).isEqualTo(3);
  }

  @Test
  void aLogBehindTheDatabaseRecoversNothing() throws Exception {
    anchorFile = null;
    signed(0);
    byte[] older = Files.readAllBytes(path);
    signed(1);
    Files.write(path, older);
    assertThatThrownBy(() -> recovery().run(path, true))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("anchored record 2");
  }

  @Test
  void failsWithoutALog() throws Exception {
    signed(0);
    Files.delete(path);
    assertThatThrownBy(() -> recovery().run(path, true))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("no sign-log");
    assertThat(path).as("no log is created").doesNotExist();
  }

  @Test
  void rejectsADatabaseWithoutAnAnchor() throws Exception {
    signed(0);
    open();
    assertThatThrownBy(() -> recovery().run(path, true))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("not a backup");
  }

  @Test
  void withoutAnAnchorFileAPersonHasToConfirm() throws Exception {
    anchorFile = null;
    signed(0, 1);
    rollBackTo(1);
    assertThatThrownBy(() -> recovery().run(path, false))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("a person");
    assertThat(serials()).isEqualTo(3);
    assertThat(recovery().run(path, true).serials()).isEqualTo(3);
  }

  @Test
  void aChangedRecordStopsItBeforeAnyWrite() throws Exception {
    signed(0, 1, 2);
    rollBackTo(1);
    byte[] bytes = Files.readAllBytes(path);
    bytes[bytes.length / 2] ^= 1;
    Files.write(path, bytes);
    assertThatThrownBy(() -> recovery().run(path, true)).isInstanceOf(LogDamagedException.class);
    assertThat(serials()).isEqualTo(3);
  }

  @Test
  void doesNotDisturbARunningSigner() throws Exception {
    signed(0);
    try (SignLog running = audit().open(path)) {
      assertThatThrownBy(() -> recovery().run(path, false))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another signer");
      assertThat(running.failure()).isEmpty();
    }
  }

  /** The log does not hold the minted value, so the cap of the day counts as used up. */
  @Test
  void closesTheDayAfterAMissingMint() throws Exception {
    SignRecord transfer = SignLogFileTest.record(0);
    SignRecord mint =
        new SignRecord(
            Family.MINT, transfer.core(), 1, transfer.serials().subList(0, 1), transfer.points());
    jdbc.sql("INSERT INTO shard_0.serials VALUES (?, ?)")
        .params(mint.serials().get(0).bytes(), mint.core().bytes())
        .update();
    try (SignLog log = audit().open(path)) {
      log.append(mint).orElseThrow().get(5, TimeUnit.MINUTES);
    }
    rollBackTo(0);
    assertThat(recovery().run(path, false)).isEqualTo(new LogRecovery.Result(1, 1, true));
    assertThat(
            jdbc.sql("SELECT minted_minor FROM authority.mint_days WHERE day = ?")
                .param(LocalDate.parse("2026-06-01"))
                .query(Long.class)
                .single())
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void missingRegistrationsStopItBeforeAnyWrite() throws Exception {
    registrations();
    SignRecord transfer = SignLogFileTest.record(0);
    SignRecord registration =
        new SignRecord(Family.REGISTER, transfer.core(), 1, List.of(), transfer.points());
    jdbc.sql("INSERT INTO issuer.registration VALUES (?)")
        .param(registration.core().bytes())
        .update();
    try (SignLog log = audit().open(path)) {
      log.append(registration).orElseThrow().get(5, TimeUnit.MINUTES);
    }
    signed(1);
    rollBackTo(0);
    assertThatThrownBy(() -> recovery().run(path, false))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("1 signed registrations");
    assertThat(serials()).as("nothing is written before").isZero();
    registrations();
    jdbc.sql("INSERT INTO issuer.registration VALUES (?)")
        .param(registration.core().bytes())
        .update();
    assertThat(recovery().run(path, false)).isEqualTo(new LogRecovery.Result(2, 3, false));
  }

  /** A split whose cutover is under way: its shards get the rows that they own afterwards. */
  @Test
  void waitsForARangeThatIsMoving() throws Exception {
    signed(0, 1);
    rollBackTo(1);
    FieldElement moved = FieldElement.ofLong(4);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      List<Future<LogRecovery.Result>> started = new ArrayList<>();
      authority
          .transaction()
          .executeWithoutResult(t -> {
            OwnershipRow.update(jdbc, "shard_0", 2, new ShardRange(FieldElement.ZERO, moved));
            OwnershipRow.update(jdbc, "shard_1", 2, new ShardRange(moved, null));
            started.add(other.submit(() -> recovery().run(path, false)));
            Await.until("it waits", () -> started.getFirst().isDone() || locksWaitedFor() > 0);
          });
      started.getFirst().get(5, TimeUnit.MINUTES);
    } finally {
      other.shutdownNow();
    }
    assertThat(
            jdbc.sql("SELECT count(*) FROM shard_0.serials WHERE serial >= ?")
                .param(moved.bytes())
                .query(Long.class)
                .single())
        .as("rows beside their range")
        .isZero();
    assertThat(serials()).isEqualTo(6);
  }

  private LogRecovery recovery() {
    return new LogRecovery(NETWORK, 1, authority, anchorFile, NOON);
  }

  private LogAudit audit() {
    return new LogAudit(NETWORK, 1, authority, anchorFile, true);
  }

  private void signed(int... numbers) throws Exception {
    for (int n : numbers) {
      reserve(n);
    }
    try (SignLog log = audit().open(path)) {
      for (int n : numbers) {
        log.append(SignLogFileTest.record(n)).orElseThrow().get(5, TimeUnit.MINUTES);
      }
    }
  }

  private void reserve(int n) {
    for (SerialNumber serial : SignLogFileTest.record(n).serials()) {
      jdbc.sql(
              "INSERT INTO shard_"
                  + (serial.value().compareTo(SPLIT) < 0 ? 0 : 1)
                  + ".serials VALUES (?, ?)")
          .params(serial.bytes(), SignLogFileTest.record(n).core().bytes())
          .update();
    }
  }

  /**
   * Restores a database in which only the first cores of {@link SignLogFileTest#record} are signed.
   *
   * @param count of signed cores
   */
  private void rollBackTo(int count) throws Exception {
    byte[] log = Files.readAllBytes(path);
    byte[] anchor = anchorFile == null ? null : Files.readAllBytes(anchorFile);
    Path kept = anchorFile;
    Files.delete(path);
    open();
    anchorFile = null;
    for (int n = 0; n < count; n++) {
      signed(n);
    }
    if (count == 0) {
      audit().open(path).close();
    }
    Files.write(path, log);
    anchorFile = kept;
    if (anchor != null) {
      Files.write(anchorFile, anchor);
    }
  }

  private void restoreEmpty() {
    TestDatabase database = MigratedDatabase.fresh();
    authority = AuthorityDatabase.open(database.dataSource());
    jdbc = authority.jdbc();
  }

  private void owns(int shard, ShardRange range) {
    OwnershipRow.insert(jdbc, ShardSchema.name(shard), 1, range);
  }

  private void registrations() {
    jdbc.sql("CREATE SCHEMA issuer").update();
    jdbc.sql("CREATE TABLE issuer.registration (core bytea PRIMARY KEY)").update();
  }

  private long locksWaitedFor() {
    return jdbc.sql("SELECT count(*) FROM pg_locks WHERE NOT granted").query(Long.class).single();
  }

  private long serials() {
    return jdbc.sql(
            "SELECT (SELECT count(*) FROM shard_0.serials) + (SELECT count(*) FROM shard_1.serials)")
        .query(Long.class)
        .single();
  }

  private List<byte[]> cores(SerialNumber serial) {
    return jdbc.sql(
            "SELECT core FROM shard_0.serials WHERE serial = :s UNION ALL SELECT core FROM shard_1.serials WHERE serial = :s")
        .param("s", serial.bytes())
        .query(byte[].class)
        .list();
  }
}
