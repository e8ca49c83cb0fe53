package io.solidus.authority.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the watch concludes, on sessions without a server. */
@Timeout(60)
class StandbyWatchTest {

  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final AtomicLong now = new AtomicLong();
  private final StandbyWatch watch = new StandbyWatch(SILENCE, LONGEST, now::get);

  @Test
  void aProbeThatIsNotConfirmedConfirmsNothing() throws SQLException {
    watch.probe(session(() -> null));
    now.addAndGet(SILENCE.toNanos());
    assertThatThrownBy(() -> watch.probe(session(() -> new SQLWarning("cancelled", "01000"))))
        .isInstanceOf(SQLException.class);
    assertThat(watch.confirmed()).isFalse();
    assertThatThrownBy(watch::requireConfirmed)
        .isInstanceOf(StandbyWatch.UnconfirmedException.class);
    watch.probe(session(() -> null));
    assertThat(watch.confirmed()).isTrue();
  }

  /** Otherwise the cancellation would hit the work that the session goes to next. */
  @Test
  void aSessionIsNotCancelledAfterItsCommit() throws InterruptedException {
    CountDownLatch under = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger cancelled = new AtomicInteger();
    AtomicInteger over = new AtomicInteger();
    List<Thread> commits =
        List.of(commit(under, release, cancelled, over), commit(under, release, cancelled, over));
    under.await();
    now.addAndGet(LONGEST.toNanos() + 1);
    watch.endLongWaits();
    for (Thread commit : commits) {
      commit.join();
    }
    assertThat(cancelled).as("the other commit was over by then").hasValue(1);
  }

  /**
   * A commit that ends when one of them is cancelled; the cancellation returns after the other's
   * end.
   */
  private Thread commit(
      CountDownLatch under, CountDownLatch release, AtomicInteger cancelled, AtomicInteger over) {
    return Thread.startVirtualThread(() -> {
      try {
        watch.commit(
            session(
                () -> {
                  under.countDown();
                  await(release);
                  return null;
                },
                () -> {
                  cancelled.incrementAndGet();
                  release.countDown();
                  while (over.get() == 0) {
                    Thread.onSpinWait();
                  }
                }));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      } finally {
        over.incrementAndGet();
      }
    });
  }

  private interface Commit {
    @Nullable SQLWarning run();
  }

  private static Connection session(Commit commit) {
    return session(commit, () -> {});
  }

  private static Connection session(Commit commit, Runnable cancel) {
    Statement statement =
        proxy(
            Statement.class,
            new Statements() {
              private @Nullable SQLWarning warning;

              @Override
              public @Nullable Object call(String method, Object[] arguments) {
                switch (method) {
                  case "execute" -> {
                    if (arguments[0].equals("COMMIT")) {
                      warning = commit.run();
                    }
                    return true;
                  }
                  case "getWarnings" -> {
                    return warning;
                  }
                  case "cancel" -> cancel.run();
                  default -> {}
                }
                return null;
              }
            });
    return proxy(
        Connection.class,
        (method, arguments) ->
            switch (method) {
              case "createStatement" -> statement;
              case "getAutoCommit" -> true;
              default -> null;
            });
  }

  private interface Statements {
    @Nullable Object call(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Statements calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" ->
                      System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                  default -> calls.call(method.getName(), arguments);
                }));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
