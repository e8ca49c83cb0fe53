package io.solidus.authority.signer.log;

import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.SignerSchema;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    SignerSchema.migrate(pool);
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
      Iterator<List<SignRecord>> batches = fresh(WARM_UP + ROUNDS, size).iterator();
      try (SignLog log = log("log-" + size, Optional.empty())) {
        measure(
            size, "log, table and anchor", () -> log.append(batches.next()).orElseThrow().get());
      }
    }
    try (SignLog log =
        log("with-file", Optional.of(AnchorFile.open(folder.resolve("with-file.anchor"))))) {
      Iterator<List<SignRecord>> batches = fresh(WARM_UP + ROUNDS, 64).iterator();
      measure(64, "and anchor file", () -> log.append(batches.next()).orElseThrow().get());
    }
  }

  @Test
  void manyAtOnce() throws Exception {
    int batches = 2_000;
    List<List<SignRecord>> fresh = fresh(batches, 64);
    try (SignLog log = log("many", Optional.empty())) {
      long start = System.nanoTime();
      List<CompletableFuture<LogPosition>> all = new ArrayList<>();
      for (List<SignRecord> batch : fresh) {
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
      System.out.printf(
          "BENCH bytes for each serial number in the signer's own table: %d%n",
          authority
              .jdbc()
              .sql("SELECT pg_total_relation_size('signer.signed') / count(*) FROM signer.signed")
              .query(Long.class)
              .single());
    }
  }

  /** Batches of transfers that nobody signed before, with random serial numbers. */
  private static List<List<SignRecord>> fresh(int batches, int size) {
    return Stream.generate(() -> Stream.generate(SignLogBenchmark::transfer).limit(size).toList())
        .limit(batches)
        .toList();
  }

  private static SignRecord transfer() {
    List<SerialNumber> serials =
        Stream.generate(() -> new SerialNumber(TestRandom.field())).limit(3).toList();
    Digest32 digest = Digest32.sha256(serials.getFirst().bytes());
    return new SignRecord(Family.TRANSFER, new TxCore(digest), 1, serials, digest);
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
    authority.jdbc().sql("UPDATE signer.signed_position SET sequence = 0").update();
    authority.jdbc().sql("UPDATE authority.sign_log_anchor SET signed_sequence = 0").update();
    return new SignLog(file, anchor, new SignedSerials(authority), outer, GENESIS, records -> {});
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
