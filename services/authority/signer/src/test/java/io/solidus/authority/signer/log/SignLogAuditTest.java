package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** When log and database contradict each other, nothing more is signed. */
@Tag("process")
class SignLogAuditTest {

  private static final NetworkId NETWORK = new NetworkId("audit-test");

  @TempDir Path folder;
  private Path path;
  private @Nullable Path anchorFile;
  private AuthorityDatabase authority;
  private JdbcClient jdbc;

  @BeforeEach
  void open() {
    path = folder.resolve("sign.log");
    TestDatabase database = MigratedDatabase.fresh();
    authority = AuthorityDatabase.open(database.dataSource());
    jdbc = authority.jdbc();
  }

  @Test
  void signsAgainAfterEveryCleanRestart() throws Exception {
    for (int i = 0; i < 3; i++) {
      reserve(i);
      try (SignLog log = audit().open(path)) {
        assertThat(append(log, i).sequence()).isEqualTo(i + 1);
      }
    }
    assertThat(new LogAnchor(authority).read().orElseThrow().sequence()).isEqualTo(3);
  }

  @Test
  void refusesADatabaseThatLacksSignedRows() throws Exception {
    signed(0, 1, 2);
    forget("DELETE FROM shard_1.serials WHERE serial = (SELECT min(serial) FROM shard_1.serials)");
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("lacks 1 serial number");
  }

  /**
   * The attack: a stale standby takes over after the signer has checked the reservation and before
   * the anchor moves.
   */
  @Test
  void nothingLeavesWhenTheDatabaseLostAReservationSinceTheCheck() throws Exception {
    signed(0);
    reserve(1);
    try (SignLog log = audit().open(path)) {
      forget(
          "DELETE FROM shard_1.serials WHERE core = '\\x%s'"
              .formatted(HexFormat.of().formatHex(SignLogFileTest.record(1).core().bytes())));
      assertThatThrownBy(() -> append(log, 1)).hasCauseInstanceOf(LogDamagedException.class);
      assertThat(log.failure()).as("nothing more is signed").isPresent();
      assertThat(new LogAnchor(authority).read().orElseThrow().sequence()).isEqualTo(1);
    }
    assertThatThrownBy(() -> audit().open(path))
        .as("also after a restart")
        .isInstanceOf(LogDamagedException.class);
  }

  @Test
  void refusesASerialNumberOfAnotherCore() throws Exception {
    signed(0, 1);
    forget("UPDATE shard_0.serials SET core = sha256(core)");
    assertThatThrownBy(() -> audit().open(path)).isInstanceOf(LogDamagedException.class);
  }

  @Test
  void refusesALogThatLostARecord() throws Exception {
    signed(0, 1);
    byte[] two = Files.readAllBytes(path);
    signed(2);
    Files.write(path, two);
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("does not hold the anchored record 3");
    assertThat(Files.readAllBytes(path)).as("the log is not changed").isEqualTo(two);
  }

  @Test
  void refusesAMissingLog() throws Exception {
    signed(0);
    Files.delete(path);
    assertThatThrownBy(() -> audit().open(path)).isInstanceOf(LogDamagedException.class);
  }

  @Test
  void refusesANewDatabase() throws Exception {
    signed(0);
    open();
    reserve(0);
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("the database knows of none");
  }

  @Test
  void refusesAChangedRecord() throws Exception {
    signed(0, 1);
    byte[] bytes = Files.readAllBytes(path);
    bytes[10] ^= 1;
    Files.write(path, bytes);
    assertThatThrownBy(() -> audit().open(path)).isInstanceOf(LogDamagedException.class);
  }

  @Test
  void movesTheAnchorAfterACrashBetweenLogAndAnchor() throws Exception {
    signed(0);
    reserve(1);
    LogPosition genesis = HashChain.genesis(NETWORK, 1);
    try (SignLogFile file = SignLogFile.open(path, genesis, (r, at) -> {})) {
      file.cutTornTail();
      file.append(List.of(SignLogFileTest.record(1)));
    }
    try (SignLog log = audit().open(path)) {
      assertThat(log.failure()).isEmpty();
    }
    assertThat(new LogAnchor(authority).read().orElseThrow().sequence()).isEqualTo(2);
  }

  @Test
  void removesATornLastRecordAndSigns() throws Exception {
    signed(0);
    Files.write(path, new byte[] {0, 120, 3, 3, 3}, StandardOpenOption.APPEND);
    reserve(1);
    try (SignLog log = audit().open(path)) {
      assertThat(append(log, 1).sequence()).isEqualTo(2);
    }
  }

  @Test
  void stopsWhenTheDatabaseIsRolledBackWhileRunning() throws Exception {
    reserve(0);
    reserve(1);
    try (SignLog log = audit().open(path)) {
      LogPosition first = append(log, 0);
      append(log, 1);
      // as after a failover to a standby that lacks the last commit
      jdbc.sql("UPDATE authority.sign_log_anchor SET sequence = ?, head = ?")
          .params(first.sequence(), first.head().bytes())
          .update();
      Throwable why = catchThrowable(() -> append(log, 0));
      assertThat(why)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(LogDamagedException.class);
      assertThat(log.failure()).isPresent();
      assertThat(catchThrowable(() -> append(log, 0)))
          .hasCauseInstanceOf(LogDamagedException.class);
    }
  }

  @Test
  void anUnavailableDatabaseFailsOneSignatureOnly() throws Exception {
    reserve(0);
    try (SignLog log = audit().open(path)) {
      jdbc.sql("ALTER TABLE authority.sign_log_anchor RENAME TO away").update();
      assertThat(catchThrowable(() -> append(log, 0)))
          .hasCauseInstanceOf(DataAccessException.class);
      jdbc.sql("ALTER TABLE authority.away RENAME TO sign_log_anchor").update();
      assertThat(append(log, 0).sequence()).isEqualTo(2);
      assertThat(log.failure()).isEmpty();
    }
    try (SignLog log = audit().open(path)) {
      assertThat(log.failure()).isEmpty();
    }
  }

  /** After a transaction of unknown outcome the anchor is in one of two places. */
  @Test
  void anAnchorInNeitherPlaceStopsTheSigning() throws Exception {
    reserve(0);
    reserve(1);
    try (SignLog log = audit().open(path)) {
      append(log, 0);
      failOneTransaction(log, 1);
      jdbc.sql("UPDATE authority.sign_log_anchor SET head = sha256(head)").update();
      assertThat(catchThrowable(() -> append(log, 1)))
          .hasCauseInstanceOf(LogDamagedException.class)
          .hasStackTraceContaining("not where this signer left it");
      assertThat(log.failure()).isPresent();
      assertThat(new LogAnchor(authority).read().orElseThrow().sequence()).isEqualTo(1);
    }
  }

  @Test
  void aTransactionThatFailedIsRepeatedBeforeTheNext() throws Exception {
    reserve(0);
    reserve(1);
    reserve(2);
    try (SignLog log = audit().open(path)) {
      append(log, 0);
      failOneTransaction(log, 1);
      assertThat(append(log, 2).sequence()).isEqualTo(3);
    }
    try (SignLog log = audit().open(path)) {
      assertThat(log.failure()).as("the table holds all three").isEmpty();
    }
  }

  /** The commit took effect and its answer was lost. */
  @Test
  void aTransactionThatTookEffectIsNotRepeated() throws Exception {
    reserve(0);
    reserve(1);
    try (SignLog log = audit().open(path)) {
      LogPosition one = append(log, 0);
      failOneTransaction(log, 1);
      LogAnchor anchor = new LogAnchor(authority);
      anchor.inTransaction(
          () -> anchor.moveBoth(one, HashChain.next(one, SignLogFileTest.record(1).toBytes())));
      assertThat(append(log, 1).sequence()).isEqualTo(3);
    }
  }

  @Test
  void anAnchorWithAnotherHeadStopsTheSigning() throws Exception {
    reserve(0);
    reserve(1);
    try (SignLog log = audit().open(path)) {
      append(log, 0);
      jdbc.sql("UPDATE authority.sign_log_anchor SET head = sha256(head)").update();
      assertThat(catchThrowable(() -> append(log, 1)))
          .as("the number alone is not the position")
          .hasCauseInstanceOf(LogDamagedException.class);
      assertThat(log.failure()).isPresent();
    }
  }

  /** The record is in the log and its transaction is not in the database. */
  private void failOneTransaction(SignLog log, int n) {
    jdbc.sql("ALTER TABLE authority.sign_log_anchor RENAME TO away").update();
    assertThat(catchThrowable(() -> append(log, n))).hasCauseInstanceOf(DataAccessException.class);
    jdbc.sql("ALTER TABLE authority.away RENAME TO sign_log_anchor").update();
  }

  @Test
  void refusesRegistrationsThatTheIssuerLacks() throws Exception {
    SignRecord transfer = SignLogFileTest.record(0);
    SignRecord registration =
        new SignRecord(Family.REGISTER, transfer.core(), 1, List.of(), transfer.points());
    jdbc.sql("CREATE SCHEMA issuer").update();
    jdbc.sql("CREATE TABLE issuer.registration (core bytea PRIMARY KEY)").update();
    jdbc.sql("INSERT INTO issuer.registration VALUES (?)")
        .param(registration.core().bytes())
        .update();
    try (SignLog log = audit().open(path)) {
      log.append(registration).orElseThrow().get(5, TimeUnit.MINUTES);
    }
    try (SignLog log = audit().open(path)) {
      assertThat(log.failure()).isEmpty();
    }
    for (String loss : List.of("DELETE FROM issuer.registration", "DROP SCHEMA issuer CASCADE")) {
      jdbc.sql(loss).update();
      assertThatThrownBy(() -> audit().open(path))
          .as(loss)
          .isInstanceOf(LogDamagedException.class)
          .hasMessageContaining("registrations");
    }
  }

  @Test
  void theAnchorFileShowsThatLogAndDatabaseWereRolledBackTogether() throws Exception {
    anchorFile = folder.resolve("anchor");
    signed(0, 1);
    byte[] log = Files.readAllBytes(path);
    LogPosition anchored = new LogAnchor(authority).read().orElseThrow();
    signed(2);
    // a restored backup of both agrees with itself
    Files.write(path, log);
    forget("DELETE FROM shard_0.serials WHERE core = sha256('\\x0002'::bytea)");
    forget("DELETE FROM shard_1.serials WHERE core = sha256('\\x0002'::bytea)");
    jdbc.sql("UPDATE authority.sign_log_anchor SET sequence = ?, head = ?")
        .params(anchored.sequence(), anchored.head().bytes())
        .update();
    Path outer = anchorFile;
    anchorFile = null;
    assertThatThrownBy(() -> audit().open(path))
        .as("the signer's own table is still there")
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("the signer's own table holds 3");
    forget("UPDATE authority.sign_log_anchor SET signed_sequence = 2");
    forget("UPDATE signer.signed_position SET sequence = 2");
    forget("DELETE FROM signer.signed WHERE core = sha256('\\x0002'::bytea)");
    anchorFile = outer;
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining(
            "ends at record 2 and does not hold the anchored record 3 of the anchor file");

    anchorFile = null;
    try (SignLog unnoticed = audit().open(path)) {
      assertThat(unnoticed.failure()).as("without the file nothing shows it").isEmpty();
    }
  }

  @Test
  void theAnchorFileShowsThatLogAndDatabaseAreNew() throws Exception {
    anchorFile = folder.resolve("anchor");
    signed(0);
    Files.delete(path);
    open();
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("anchor file");
  }

  @Test
  void aMissingAnchorFileNeedsAPerson() throws Exception {
    signed(0);
    anchorFile = folder.resolve("anchor");
    assertThatThrownBy(() -> audit().open(path))
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("volume mounted");
    assertThat(anchorFile).doesNotExist();
    Files.createFile(anchorFile);
    signed(1);
    signed(2);
    assertThat(new LogAnchor(authority).read().orElseThrow().sequence()).isEqualTo(3);
  }

  @Test
  void movesAnAnchorFileThatACrashLeftBehind() throws Exception {
    anchorFile = folder.resolve("anchor");
    signed(0);
    byte[] behind = Files.readAllBytes(anchorFile);
    signed(1);
    Files.write(anchorFile, behind);
    signed(2);
    try (AnchorFile file = AnchorFile.open(anchorFile)) {
      assertThat(file.position()).isEqualTo(new LogAnchor(authority).read());
    }
  }

  @Test
  void recordsManyConcurrentSignatures() throws Exception {
    int count = 400;
    for (int i = 0; i < count; i++) {
      reserve(i);
    }
    try (SignLog log = audit().open(path)) {
      List<CompletableFuture<LogPosition>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(log.append(SignLogFileTest.record(i)).orElseThrow());
      }
      for (CompletableFuture<LogPosition> done : all) {
        done.get(5, TimeUnit.MINUTES);
      }
    }
    try (SignLog log = audit().open(path)) {
      assertThat(new LogAnchor(authority).read().orElseThrow().sequence()).isEqualTo(count);
      assertThat(log.failure()).isEmpty();
    }
  }

  private void signed(int... numbers) throws Exception {
    Arrays.stream(numbers).forEach(this::reserve);
    try (SignLog log = audit().open(path)) {
      for (int n : numbers) {
        append(log, n);
      }
    }
  }

  private static LogPosition append(SignLog log, int n)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    return log.append(SignLogFileTest.record(n)).orElseThrow().get(5, TimeUnit.MINUTES);
  }

  /** Two serial numbers on one shard, the third on the other. */
  private void reserve(int n) {
    SignRecord record = SignLogFileTest.record(n);
    for (int i = 0; i < 3; i++) {
      jdbc.sql("INSERT INTO shard_" + (i == 2 ? 1 : 0) + ".serials VALUES (?, ?)")
          .params(record.serials().get(i).bytes(), record.core().bytes())
          .update();
    }
  }

  /** Changes rows as a restored backup does. */
  private void forget(String sql) {
    jdbc.sql("ALTER TABLE shard_0.serials DISABLE TRIGGER ALL").update();
    jdbc.sql("ALTER TABLE shard_1.serials DISABLE TRIGGER ALL").update();
    jdbc.sql("ALTER TABLE signer.signed DISABLE TRIGGER ALL").update();
    jdbc.sql(sql).update();
  }

  private LogAudit audit() {
    return new LogAudit(NETWORK, 1, authority, anchorFile, true);
  }
}
