package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.solidus.authority.common.DurableTransactions;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore.Reservation;
import io.solidus.authority.spend.SpendStore.Signed;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.FaultyMachine;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.v1.PartialSignature;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * What a shard's tables acknowledged is there after a loss of power under load, which throws away
 * all that PostgreSQL had not fsynced. {@code -Dsolidus.power.cuts=N} cuts the power N times.
 */
@Tag("process")
class SpendStorePowerLossTest {

  private static final int CUTS = Integer.getInteger("solidus.power.cuts", 3);
  private static final String DATABASE = "postgres";
  private static final int WRITERS = 3;
  private static final int BATCH = 4;

  /** What the tables said is durable. */
  private static final class Acknowledged {
    final Set<SpendRequest<Transfer>> reserved = ConcurrentHashMap.newKeySet();
    final Map<SpendRequest<Transfer>, ByteString> answers = new ConcurrentHashMap<>();
  }

  @TempDir private Path folder;
  private Optional<FaultyMachine> machine = Optional.empty();

  @BeforeEach
  void compile() {
    machine = FaultyMachine.make(folder.resolve("machine"));
    assumeTrue(
        machine.isPresent(), "SKIPPED: no C compiler, so nothing that was not fsynced is lost");
  }

  @Test
  void whatWasAcknowledgedIsThere() {
    Acknowledged acknowledged = new Acknowledged();
    long thrownAway = 0;
    try (PostgresServer server = start()) {
      for (int cut = 0; cut < CUTS; cut++) {
        // at another place of the write-ahead log each time
        thrownAway +=
            loadAndCut(
                server,
                SpendStorePowerLossTest::durable,
                () -> startCheckpoints(server),
                acknowledged,
                20 + cut * 37 % 150);
        assertThat(missing(server, acknowledged)).as("after cut %d", cut).isEmpty();
      }
    }
    assertThat(thrownAway).as("bytes that were not fsynced").isPositive();
  }

  /** Without the check of the settings: the test above can fail. */
  @ParameterizedTest
  @ValueSource(strings = {"synchronous_commit", "fsync"})
  void anUnsafeSettingLosesWhatWasAcknowledged(String setting) {
    Acknowledged acknowledged = new Acknowledged();
    try (PostgresServer server = start()) {
      loadAndCut(
          server,
          JdbcTransactionManager::new,
          () -> {
            // what a commit does not flush is flushed this late
            server.set("wal_writer_delay", "10s");
            server.set(setting, "off");
          },
          acknowledged,
          100);
      assertThat(missing(server, acknowledged)).isNotEmpty();
    }
  }

  private static JdbcTransactionManager durable(DataSource pool) {
    return new DurableTransactions(pool, 0, Duration.ofSeconds(5));
  }

  private PostgresServer start() {
    return PostgresServer.start(folder.resolve("data"), Map.of(), machine.orElseThrow());
  }

  private static void startCheckpoints(PostgresServer server) {
    Thread.ofVirtual().start(() -> untilFailure(() -> server.execute(DATABASE, "CHECKPOINT")));
  }

  /**
   * Cuts the power under load and starts the server again.
   *
   * @param beforeLoad runs when the tables are there
   * @param enough answers after which the power is cut
   * @return bytes that were thrown away
   */
  private static long loadAndCut(
      PostgresServer server,
      Function<DataSource, JdbcTransactionManager> transactions,
      Runnable beforeLoad,
      Acknowledged acknowledged,
      int enough) {
    int before = acknowledged.answers.size();
    long thrownAway;
    try (SpendStoreFixture fixture =
            new SpendStoreFixture(server.dataSource(DATABASE), WRITERS + 1, transactions);
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      beforeLoad.run();
      for (int i = 0; i < WRITERS; i++) {
        threads.execute(() -> untilFailure(() -> write(fixture, acknowledged)));
      }
      try {
        Await.until("answers are stored", () -> acknowledged.answers.size() - before >= enough);
        thrownAway = server.losePower().bytes();
      } finally {
        // whatever happened: the writers wait for the server, and the test for them
        server.kill();
      }
    }
    server.restart();
    return thrownAway;
  }

  private static void untilFailure(Runnable work) {
    try {
      while (true) {
        work.run();
      }
    } catch (RuntimeException e) {
      // the power was cut; before that it would leave the test without answers
    }
  }

  private static void write(SpendStoreFixture fixture, Acknowledged acknowledged) {
    List<Reservation<Transfer>> reservations = new ArrayList<>();
    List<Signed<Transfer, PartialSignature>> signed = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      SpendRequest<Transfer> request = fixture.request();
      reservations.add(new Reservation<>(request, request.serials()));
      signed.add(new Signed<>(request, SpendStoreFixture.answer()));
    }
    fixture.spendStore.reserve(reservations).forEach(Outcome::get);
    reservations.forEach(each -> acknowledged.reserved.add(each.request()));
    fixture.spendStore.store(signed);
    signed.forEach(each -> acknowledged.answers.put(each.request(), each.answer().toByteString()));
  }

  /** What was acknowledged and is not in the tables, in words. */
  private static List<String> missing(PostgresServer server, Acknowledged acknowledged) {
    JdbcClient jdbc = server.jdbc(DATABASE);
    List<String> missing = new ArrayList<>();
    for (SpendRequest<Transfer> request : acknowledged.reserved) {
      for (SerialNumber serial : request.serials()) {
        if (!exists(jdbc, "serials WHERE serial = ? AND core = ?", serial.bytes(), request)) {
          missing.add("serial number " + serial + " of " + request.core());
        }
      }
    }
    acknowledged.answers.forEach((request, answer) -> {
      if (!exists(jdbc, "cores WHERE reply = ? AND core = ?", answer.toByteArray(), request)) {
        missing.add("answer for " + request.core());
      }
    });
    return missing;
  }

  private static boolean exists(
      JdbcClient jdbc, String where, byte[] value, SpendRequest<Transfer> request) {
    return jdbc.sql("SELECT EXISTS (SELECT 1 FROM shard_0." + where + ")")
        .params(value, request.core().bytes())
        .query(Boolean.class)
        .single();
  }
}
