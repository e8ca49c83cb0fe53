package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Attack: more look-ups than there are connections. */
@Tag("process")
class LookUpDatabaseTest {

  private static final int PAYMENTS = 2;
  private static final int LOOK_UPS = 2;
  private static final int FLOOD = 40;

  @Test
  void aFloodOfLookUpsHoldsNoConnectionOfPayments() {
    try (HikariDataSource payments = pool();
        LookUpDatabase lookUps = new LookUpDatabase(payments, LOOK_UPS);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      JdbcClient jdbc = JdbcClient.create(payments);
      // what look-ups wait for, so that the flood does not end
      jdbc.sql("SELECT pg_advisory_lock(7)::text").query(String.class).single();
      List<CompletableFuture<Void>> flood = new ArrayList<>();
      for (int i = 0; i < FLOOD; i++) {
        flood.add(
            CompletableFuture.runAsync(
                () ->
                    lookUps
                        .jdbc()
                        .sql("SELECT pg_advisory_lock_shared(7)::text")
                        .query(String.class)
                        .single(),
                callers));
      }
      Await.until("all connections of look-ups wait", () -> waiting(jdbc) == LOOK_UPS);
      assertThat(payments.getHikariPoolMXBean().getActiveConnections()).isZero();
      assertThat(jdbc.sql("SELECT 1").query(Integer.class).single()).isEqualTo(1);

      Await.until(
          "the rest of the flood gives up",
          () -> flood.stream().filter(CompletableFuture::isDone).count() == FLOOD - LOOK_UPS);
      assertThat(waiting(jdbc)).isEqualTo(LOOK_UPS);
      payments.getHikariPoolMXBean().softEvictConnections();
      Await.until("the flood ends", () -> flood.stream().allMatch(CompletableFuture::isDone));
    }
  }

  private static long waiting(JdbcClient jdbc) {
    return jdbc.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        .query(Long.class)
        .single();
  }

  private static HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(TestPostgres.newDatabase().dataSource());
    config.setMaximumPoolSize(PAYMENTS);
    config.setConnectionTimeout(1_000);
    return new HikariDataSource(config);
  }
}
