package io.solidus.authority.signer.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.DurableTransactions;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.common.SignerSchema;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.processes.PrimaryAndStandby;
import io.solidus.protocol.NetworkId;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A standby takes over from the primary, with all acknowledged rows or without some. */
@Tag("process")
class FailoverTest {

  private static final NetworkId NETWORK = new NetworkId("failover-test");
  private static final String DATABASE = "postgres";

  @TempDir Path folder;
  private PrimaryAndStandby pair;

  @BeforeEach
  void start() {
    pair = PrimaryAndStandby.start(folder);
    AuthorityDatabase.open(pair.primary().dataSource(DATABASE));
    SignerSchema.migrate(pair.primary().dataSource(DATABASE));
    ShardSchema.migrate(pair.primary().dataSource(DATABASE), 0);
  }

  @AfterEach
  void stop() {
    pair.close();
  }

  @Test
  void signingContinuesOnAStandbyWithAllRows() throws Exception {
    try (SignLog log = open(pair.primary().dataSource(DATABASE))) {
      sign(log, pair.primary(), 1);
      sign(log, pair.primary(), 2);
    }
    PostgresServer promoted = pair.failOver();
    try (SignLog log = open(promoted.dataSource(DATABASE))) {
      assertThat(sign(log, promoted, 3)).isEqualTo(3);
    }
  }

  @Test
  void nothingIsSignedOnAStandbyThatLacksSignedRows() throws Exception {
    DelegatingDataSource address = new DelegatingDataSource(pair.primary().dataSource(DATABASE));
    try (SignLog log = open(address)) {
      sign(log, pair.primary(), 1);
      // an operator lets the primary acknowledge without the standby
      pair.waitForStandby(false);
      pair.standby().stop();
      sign(log, pair.primary(), 2);
      address.setTargetDataSource(pair.failOver().dataSource(DATABASE));

      assertThat(catchThrowable(() -> sign(log, pair.standby(), 3)))
          .as("a running signer notices before it signs")
          .hasCauseInstanceOf(LogDamagedException.class);
      assertThat(log.failure()).isPresent();
    }
    assertThatThrownBy(() -> open(address))
        .as("a starting signer notices at its start")
        .isInstanceOf(LogDamagedException.class)
        .hasMessageContaining("the database lacks 3 serial numbers");
  }

  /**
   * An interrupted start or recovery left its rows on the primary alone; the next one finds them
   * and waits for the standby all the same.
   */
  @Test
  void restoringRowsThatAreThereWaitsForTheStandby() {
    SignedSerials signed =
        new SignedSerials(AuthorityDatabase.open(pair.primary().dataSource(DATABASE)));
    List<SignRecord> records = List.of(SignLogFileTest.record(1));
    signed.restore(records, 1, () -> {});
    pair.standby().stop();
    CompletableFuture<Void> again =
        CompletableFuture.runAsync(() -> signed.restore(records, 1, () -> {}));
    pair.awaitWaiting();
    pair.cancelWaiting();
    assertThat(catchThrowable(() -> again.get(5, TimeUnit.MINUTES)))
        .hasCauseInstanceOf(DurableTransactions.NotDurableException.class);
  }

  private static long sign(SignLog log, PostgresServer server, int n) throws Exception {
    SignRecord record = SignLogFileTest.record(n);
    record
        .serials()
        .forEach(serial ->
            server
                .jdbc(DATABASE)
                .sql("INSERT INTO shard_0.serials VALUES (?, ?)")
                .params(serial.bytes(), record.core().bytes())
                .update());
    return log.append(List.of(record)).orElseThrow().get(5, TimeUnit.MINUTES).sequence();
  }

  private SignLog open(DataSource database) throws Exception {
    AuthorityDatabase authority = AuthorityDatabase.open(database);
    return new LogAudit(NETWORK, 1, authority, null, false)
        .open(folder.resolve("log").resolve("sign.log"));
  }
}
