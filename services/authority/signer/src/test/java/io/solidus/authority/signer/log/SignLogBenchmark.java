package io.solidus.authority.signer.log;

import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.NetworkId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures what a durable record costs, and its parts. It asserts nothing; run it by its name:
 * {@code mvn -Dtest=SignLogBenchmark}.
 */
class SignLogBenchmark {

  private static final LogPosition GENESIS = HashChain.genesis(new NetworkId("benchmark"), 1);
  private static final int WARM_UP = 50;
  private static final int ROUNDS = 300;

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  @TempDir Path folder;
  private AuthorityDatabase authority;
  private LogPosition at = GENESIS;

  @BeforeEach
  void open() {
    TestDatabase database = TestPostgres.newDatabase();
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(database.url());
    pool.setUsername(database.user());
    pool.setMaximumPoolSize(4);
    authority = AuthorityDatabase.open(pool);
    new LogAnchor(authority).create(GENESIS);
  }

  @Test
  void oneBatchAtATime() throws Exception {
    LogAnchor anchor = new LogAnchor(authority);
    for (int size : new int[] {1, 64, 256}) {
      List<SignRecord> batch = IntStream.range(0, size).mapToObj(SignLogFileTest::record).toList();
      try (SignLogFile file =
          SignLogFile.open(folder.resolve("file-" + size), GENESIS, (r, p) -> {})) {
        file.cutTornTail();
        measure(size, "fsync of the log", () -> file.append(batch));
      }
    }
    measure(1, "anchor's commit", () -> move(anchor));
    try (AnchorFile outer = AnchorFile.open(folder.resolve("anchor"))) {
      outer.moveTo(GENESIS);
      measure(1, "anchor file", () -> outer.advance(GENESIS));
    }
    for (int size : new int[] {1, 64, 256}) {
      List<SignRecord> batch = IntStream.range(0, size).mapToObj(SignLogFileTest::record).toList();
      try (SignLog log = log("log-" + size, Optional.empty())) {
        measure(size, "log and anchor", () -> log.append(batch).orElseThrow().get());
      }
    }
    try (SignLog log =
        log("with-file", Optional.of(AnchorFile.open(folder.resolve("with-file.anchor"))))) {
      List<SignRecord> batch = IntStream.range(0, 64).mapToObj(SignLogFileTest::record).toList();
      measure(64, "log, anchor and anchor file", () -> log.append(batch).orElseThrow().get());
    }
  }

  @Test
  void manyAtOnce() throws Exception {
    List<SignRecord> batch = IntStream.range(0, 64).mapToObj(SignLogFileTest::record).toList();
    try (SignLog log = log("many", Optional.empty())) {
      long start = System.nanoTime();
      int batches = 2_000;
      List<CompletableFuture<LogPosition>> all = new ArrayList<>();
      for (int i = 0; i < batches; i++) {
        Optional<CompletableFuture<LogPosition>> done = log.append(batch);
        while (done.isEmpty()) {
          Thread.onSpinWait();
          done = log.append(batch);
        }
        all.add(done.get());
      }
      for (CompletableFuture<LogPosition> done : all) {
        done.get();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf("BENCH flood of batches of 64: %.0f records/s%n", batches * 64 / seconds);
    }
  }

  private void move(LogAnchor anchor) {
    LogPosition to = new LogPosition(at.sequence() + 1, at.head());
    anchor.advance(at, to);
    at = to;
  }

  private SignLog log(String name, Optional<AnchorFile> outer) throws Exception {
    SignLogFile file = SignLogFile.open(folder.resolve(name), GENESIS, (r, p) -> {});
    file.cutTornTail();
    if (outer.isPresent()) {
      outer.get().moveTo(GENESIS);
    }
    LogAnchor anchor = new LogAnchor(authority);
    anchor.advance(anchor.read().orElseThrow(), GENESIS);
    return new SignLog(file, anchor, outer, GENESIS, records -> {});
  }

  private static void measure(int size, String what, Step step) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      step.run();
    }
    long[] nanos = new long[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      step.run();
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    System.out.printf(
        "BENCH %-30s %3d records: median %.2f ms, p99 %.2f ms%n",
        what, size, nanos[ROUNDS / 2] / 1e6, nanos[ROUNDS * 99 / 100] / 1e6);
  }
}
