package io.solidus.authority.signer.log;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures how long a signer compares before it signs, with a sign-log of many records. It asserts
 * nothing; run it by its name: {@code ./solidus test signer SignerStartBenchmark -- -o
 * -Dsolidus.bench.records=100000000}.
 *
 * <p>The log has its full length, but only its last records, those with rows in the database, are
 * written. The rest is a hole in the file, in which no record verifies: a start that looked at it
 * would fail.
 */
class SignerStartBenchmark {

  private static final long RECORDS = Long.getLong("solidus.bench.records", 100_000_000);
  private static final long WITH_ROWS = Long.getLong("solidus.bench.rows", 1_000_000);
  private static final int AFTER_A_CRASH = 50_000;
  private static final int FRAME_BYTES = 2 + 70 + 3 * 32 + 32;
  private static final int ROUNDS = 5;
  private static final NetworkId NETWORK = new NetworkId("start-benchmark");
  private static final LogPosition GENESIS = HashChain.genesis(NETWORK, 1);

  @TempDir Path folder;

  @Test
  void start() throws Exception {
    long first = RECORDS - WITH_ROWS;
    TestDatabase database = MigratedDatabase.fresh();
    AuthorityDatabase authority = AuthorityDatabase.open(database.dataSource());
    // the serial numbers and the core of a record, as record(n) makes them
    for (String table : List.of("signer.signed", "shard_0.serials")) {
      authority
          .jdbc()
          .sql(
              """
              INSERT INTO %s (serial, core)
              SELECT '\\x00'::bytea || substring(sha256(int8send(n) || int4send(i)) from 2), sha256(int8send(n))
              FROM generate_series(%d::bigint, %d::bigint) AS n, generate_series(0, 2) AS i ORDER BY 1
              """
                  .formatted(table, first, RECORDS - 1))
          .update();
    }
    authority.jdbc().sql("VACUUM ANALYZE").update();
    Path path = folder.resolve("sign.log");
    List<Mark> marks = log(path, first);
    Mark end = marks.getLast();
    authority.jdbc().sql("UPDATE signer.signed_position SET sequence = ?").param(RECORDS).update();
    authority
        .jdbc()
        .sql(
            "INSERT INTO authority.sign_log_anchor (sequence, head, signed_sequence) VALUES (?, ?, ?)")
        .params(RECORDS, end.at().head().bytes(), RECORDS)
        .update();
    System.out.printf(
        "BENCH %,d records, log of %.1f GB, %,d of them with rows in the database%n",
        RECORDS, Files.size(path) / 1e9, WITH_ROWS);
    measure("after a clean stop", authority, path, end, end);
    measure("after a crash", authority, path, marks.get(1), end);
    double seconds = measure("all records with rows", authority, path, marks.get(0), end);
    System.out.printf(
        "BENCH a whole audit at this rate, %,.0f records/s: %.1f hours%n",
        WITH_ROWS / seconds, RECORDS / (WITH_ROWS / seconds) / 3_600);
  }

  private double measure(
      String what, AuthorityDatabase authority, Path path, Mark compared, Mark end)
      throws IOException {
    double[] seconds = new double[compared.at().sequence() < RECORDS - AFTER_A_CRASH ? 1 : ROUNDS];
    for (int i = 0; i < seconds.length; i++) {
      AuditCheckpoint checkpoint = new AuditCheckpoint(path, GENESIS);
      checkpoint.write(
          new AuditCheckpoint.Content(
              compared, compared, new ComparedTables(authority.jdbc()).lines()));
      long start = System.nanoTime();
      try (SignLog log = new LogAudit(NETWORK, 1, authority, null, false).open(path)) {
        seconds[i] = (System.nanoTime() - start) / 1e9;
        if (log.failure().isPresent()) {
          throw log.failure().get();
        }
      }
    }
    Arrays.sort(seconds);
    System.out.printf(
        "BENCH start %s: %,d records compared in %.2f s (slowest of %d: %.2f s)%n",
        what,
        end.at().sequence() - compared.at().sequence(),
        seconds[seconds.length / 2],
        seconds.length,
        seconds[seconds.length - 1]);
    return seconds[seconds.length / 2];
  }

  /**
   * Makes the log.
   *
   * @return the marks of the first record with rows, of the first after a crash, and of the end
   */
  private static List<Mark> log(Path path, long first) throws IOException {
    Digest32 head = Digest32.sha256(new byte[] {1});
    Mark at = new Mark(new LogPosition(first, head), first * FRAME_BYTES);
    Files.createFile(path);
    if (first > 0) {
      try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
        out.write(ByteBuffer.wrap(head.bytes()), at.offset() - Digest32.BYTES);
      }
    } else {
      at = Mark.beginningOf(GENESIS);
    }
    List<Mark> marks = new ArrayList<>(List.of(at));
    try (SignLogFile file = SignLogFile.open(path, GENESIS, DurableFiles.OF_THE_FILE_SYSTEM)) {
      file.verify(at, (record, after) -> {});
      file.cutTornTail();
      for (long n = first; n < RECORDS; n += 500) {
        if (n == RECORDS - AFTER_A_CRASH) {
          marks.add(file.end());
        }
        file.append(LongStream.range(n, n + 500).mapToObj(SignerStartBenchmark::record).toList());
      }
      marks.add(file.end());
    }
    return marks;
  }

  private static SignRecord record(long n) {
    byte[] number = ByteBuffer.allocate(8).putLong(n).array();
    Digest32 core = Digest32.sha256(number);
    List<SerialNumber> serials =
        IntStream.range(0, 3)
            .mapToObj(i -> {
              byte[] serial =
                  Digest32.sha256(number, ByteBuffer.allocate(4).putInt(i).array()).bytes();
              serial[0] = 0;
              return SerialNumber.of(serial);
            })
            .toList();
    return new SignRecord(Family.TRANSFER, new TxCore(core), 1, serials, core);
  }
}
