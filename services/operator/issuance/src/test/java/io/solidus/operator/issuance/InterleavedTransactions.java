package io.solidus.operator.issuance;

import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Two transactions on the desk's tables, of which the second is faster, and a reader. */
public final class InterleavedTransactions {

  private final DataSource database = TestPostgres.newDatabase().dataSource();
  private final JdbcClient jdbc = JdbcClient.create(database);
  private final TransactionTemplate transaction =
      new TransactionTemplate(new JdbcTransactionManager(database));

  public InterleavedTransactions() {
    Flyway.configure()
        .dataSource(database)
        .locations("classpath:db/outbox", "classpath:db/issuance")
        .load()
        .migrate();
  }

  public JdbcClient jdbc() {
    return jdbc;
  }

  /**
   * What a reader sees who reads when the second transaction could have ended, and goes on from
   * there at the end.
   *
   * @param insert inserts row 1 or 2
   * @param page the numbers after a cursor
   */
  public List<Long> seen(IntConsumer insert, LongFunction<List<Long>> page) {
    CountDownLatch inserted = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Void> slow =
        inBackground(() -> {
          insert.accept(1);
          inserted.countDown();
          join(goOn);
        });
    Await.until("the first row", () -> inserted.getCount() == 0 || slow.isDone());
    CompletableFuture<Void> fast = inBackground(() -> insert.accept(2));
    Await.until("the second commits or waits", () -> fast.isDone() || aTransactionWaits());
    List<Long> seen = new ArrayList<>(page.apply(0));
    goOn.countDown();
    slow.join();
    fast.join();
    seen.addAll(page.apply(seen.isEmpty() ? 0 : seen.getLast()));
    return seen;
  }

  private CompletableFuture<Void> inBackground(Runnable work) {
    return CompletableFuture.runAsync(
        () -> transaction.executeWithoutResult(t -> work.run()),
        task -> Thread.ofVirtual().start(task));
  }

  private boolean aTransactionWaits() {
    return jdbc.sql("SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        .query(Boolean.class)
        .single();
  }

  private static void join(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
