package io.solidus.authority.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.authority.common.PostgresSafety.UnsafeDatabaseException;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.protocol.RejectionCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** A setting that makes acknowledged commits losable stops the work, at the start and later. */
@Tag("process")
class UnsafeSettingsTest {

  private static final String DATABASE = "postgres";
  private static final Duration RECHECK = Duration.ofSeconds(5);

  @TempDir private static Path folder;
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(folder.resolve("data"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "fsync, off, on",
    "full_page_writes, off, on",
    "synchronous_commit, off, on",
    "synchronous_commit, local, on",
    "synchronous_commit, remote_write, on",
    "zero_damaged_pages, on, off",
    "ignore_checksum_failure, on, off",
    "session_replication_role, replica, origin",
    "client_min_messages, error, notice"
  })
  void rejectsAnUnsafeServerSetting(String setting, String unsafe, String safe) {
    server.set(setting, unsafe);
    try {
      assertThatThrownBy(() -> AuthorityDatabase.open(server.dataSource(DATABASE)))
          .isInstanceOf(UnsafeDatabaseException.class)
          .hasMessageContaining(setting + " = " + unsafe);
    } finally {
      server.set(setting, safe);
    }
  }

  /** These can only be set when the server starts. */
  @ParameterizedTest
  @ValueSource(strings = {"data_sync_retry", "ignore_invalid_pages"})
  void rejectsAServerStartedWithAnUnsafeSetting(String setting) {
    try (PostgresServer started =
        PostgresServer.start(folder.resolve(setting), Map.of(setting, "on"))) {
      assertThatThrownBy(() -> AuthorityDatabase.open(started.dataSource(DATABASE)))
          .isInstanceOf(UnsafeDatabaseException.class)
          .hasMessageContaining(setting + " = on");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ALTER DATABASE postgres, synchronous_commit",
    "ALTER ROLE postgres, synchronous_commit"
  })
  void rejectsAnUnsafeSettingOfTheDatabaseOrTheRole(String target, String setting) {
    server.execute(DATABASE, target + " SET " + setting + " = off");
    try {
      assertThatThrownBy(() -> PostgresSafety.require(server.dataSource(DATABASE)))
          .isInstanceOf(UnsafeDatabaseException.class);
    } finally {
      server.execute(DATABASE, target + " RESET " + setting);
    }
    assertThatCode(() -> PostgresSafety.require(server.dataSource(DATABASE)))
        .doesNotThrowAnyException();
  }

  @Test
  void rejectsADatabaseWithTooFewStandbys() {
    DataSource database = server.dataSource(DATABASE);
    assertThatThrownBy(() -> PostgresSafety.require(database, 1))
        .isInstanceOf(UnsafeDatabaseException.class)
        .hasMessageContaining("waits for 0 standbys");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|0",
        "' '|0",
        "one|1",
        "'one, two'|1",
        "*|1",
        "'FIRST 2 (a, b, c)'|2",
        "'any 3 (a,b,c)'|3",
        "'2 (a, b)'|2",
        "FIRST 1 (*)|1"
      })
  void countsTheStandbysThatACommitWaitsFor(String names, int expected) {
    assertThat(PostgresSafety.standbysIn(names)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"authority", "issuer", "shard_9", "signer"})
  void rejectsUnloggedTables(String schema) {
    server.execute(
        DATABASE,
        "CREATE SCHEMA IF NOT EXISTS %1$s; CREATE UNLOGGED TABLE %1$s.unlogged (serial bytea)"
            .formatted(schema));
    try {
      assertThatThrownBy(() -> PostgresSafety.require(server.dataSource(DATABASE)))
          .isInstanceOf(UnsafeDatabaseException.class)
          .hasMessageContaining("unlogged");
    } finally {
      server.execute(DATABASE, "DROP TABLE " + schema + ".unlogged");
    }
  }

  @Test
  void noticesASettingThatChangesLater() {
    SingleConnectionDataSource oneSession =
        new SingleConnectionDataSource(server.url(DATABASE), true);
    AtomicLong now = new AtomicLong();
    DurableTransactions transactions = new DurableTransactions(oneSession, 0, RECHECK, now::get);
    DurabilityHealth health = new DurabilityHealth(transactions);
    TransactionTemplate work = new TransactionTemplate(transactions);
    try {
      work.executeWithoutResult(t -> {});
      server.set("fsync", "off");
      now.addAndGet(RECHECK.toNanos());

      Throwable failure = catchThrowable(transactions::checkSession);
      assertThat(failure)
          .isInstanceOf(CannotCreateTransactionException.class)
          .hasRootCauseInstanceOf(UnsafeDatabaseException.class);
      assertThat(transactions.problem())
          .hasValueSatisfying(p -> assertThat(p).contains("fsync = off"));
      assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
      RuntimeException rejection =
          (RuntimeException) catchThrowable(() -> work.executeWithoutResult(t -> {}));
      assertThat(GrpcReplies.rejection(rejection).orElseThrow().code())
          .isEqualTo(RejectionCode.UNAVAILABLE);
    } finally {
      server.set("fsync", "on");
    }
    work.executeWithoutResult(t -> {});
    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    oneSession.destroy();
  }

  /** What one session finds is true of the server: another that was checked later stops too. */
  @Test
  void anUnsafeSettingStopsEverySession() {
    SingleConnectionDataSource one = new SingleConnectionDataSource(server.url(DATABASE), true);
    SingleConnectionDataSource other = new SingleConnectionDataSource(server.url(DATABASE), true);
    DelegatingDataSource either = new DelegatingDataSource(one);
    AtomicLong now = new AtomicLong();
    DurableTransactions transactions = new DurableTransactions(either, 0, RECHECK, now::get);
    TransactionTemplate work = new TransactionTemplate(transactions);
    try {
      work.executeWithoutResult(t -> {});
      now.addAndGet(RECHECK.toNanos() - 1);
      either.setTargetDataSource(other);
      work.executeWithoutResult(t -> {});
      server.set("fsync", "off");
      work.executeWithoutResult(t -> {});
      now.addAndGet(1);
      either.setTargetDataSource(one);
      assertThatThrownBy(() -> work.executeWithoutResult(t -> {}))
          .as("the session whose check is old")
          .isInstanceOf(CannotCreateTransactionException.class);
      either.setTargetDataSource(other);
      assertThatThrownBy(() -> work.executeWithoutResult(t -> {}))
          .as("the session whose check is fresh")
          .isInstanceOf(CannotCreateTransactionException.class);
    } finally {
      server.set("fsync", "on");
      one.destroy();
      other.destroy();
    }
  }

  @Test
  void checksEverySessionBeforeItsFirstTransaction() {
    DurableTransactions transactions =
        new DurableTransactions(server.dataSource(DATABASE), 0, RECHECK);
    TransactionTemplate work = new TransactionTemplate(transactions);
    work.executeWithoutResult(t -> {});
    server.execute(DATABASE, "ALTER DATABASE postgres SET synchronous_commit = off");
    try {
      // every transaction gets a new session here, and an earlier check does not hold for it
      assertThat(catchThrowable(() -> work.executeWithoutResult(t -> {})))
          .isInstanceOf(CannotCreateTransactionException.class);
    } finally {
      server.execute(DATABASE, "ALTER DATABASE postgres RESET synchronous_commit");
    }
  }
}
