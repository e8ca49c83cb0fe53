package io.solidus.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RetrievalTest {
  private static final int RECORD = 1200;

  private final SecureRandom random = new SecureRandom();
  private final Random content = new Random(69);

  @Test
  void everyRecordOfTablesOfManyShapesIsRead() {
    for (int records : new int[] {1, 2, 3, 4, 5, 7, 8, 9, 31, 64}) {
      for (int length : new int[] {1, 7, 8, 9, 100}) {
        List<byte[]> rows = rows(records, length);
        RetrievalTable table = new RetrievalTable(rows);
        for (int index = 0; index < records; index++) {
          int servers = 2 + (index + length) % 4;
          RetrievalQuery query = RetrievalQuery.of(index, records, servers, random);
          assertThat(query.combine(ask(table, query), length))
              .as("record %d of %d with %d bytes", index, records, length)
              .isEqualTo(rows.get(index));
        }
      }
    }
  }

  /** Batches of every size up to one beyond that from which sums are shared, and larger ones. */
  @Test
  void batchesAnswerAsSingleQueriesDo() {
    int records = 203;
    List<byte[]> rows = rows(records, RECORD);
    RetrievalTable table = new RetrievalTable(rows);
    for (int size : new int[] {0, 1, 2, 3, 4, 5, 16, RetrievalTable.MAX_BATCH}) {
      List<Integer> indices =
          IntStream.range(0, size).map(i -> content.nextInt(records)).boxed().toList();
      List<RetrievalQuery> queries =
          indices.stream().map(index -> RetrievalQuery.of(index, records, 2, random)).toList();
      List<List<byte[]>> answers =
          IntStream.range(0, 2)
              .mapToObj(server ->
                  table.answers(queries.stream().map(query -> query.shares().get(server)).toList()))
              .toList();
      for (int i = 0; i < size; i++) {
        int each = i;
        List<byte[]> both = answers.stream().map(server -> server.get(each)).toList();
        assertThat(queries.get(i).combine(both, RECORD)).isEqualTo(rows.get(indices.get(i)));
        assertThat(table.answer(queries.get(i).shares().getFirst())).isEqualTo(both.getFirst());
      }
    }
  }

  /**
   * What two of three servers see together: 2 bits of each share for a table of two records. Every
   * one of the 16 combinations is as frequent as the others, whichever record is read.
   */
  @Test
  void allServersButOneSeeRandomBitsWhicheverRecordIsRead() throws Exception {
    SecureRandom repeatable = SecureRandom.getInstance("SHA1PRNG");
    repeatable.setSeed(69);
    int rounds = 16_000;
    double expected = rounds / 16.0;
    for (int index = 0; index < 2; index++) {
      int[][] seen = new int[3][16];
      for (int round = 0; round < rounds; round++) {
        List<QueryShare> shares = RetrievalQuery.of(index, 2, 3, repeatable).shares();
        int[] bits = shares.stream().mapToInt(share -> share.bits(2)[0] & 3).toArray();
        assertThat(bits[0] ^ bits[1] ^ bits[2]).isEqualTo(1 << index);
        for (int without = 0; without < 3; without++) {
          seen[without][(bits[(without + 1) % 3] << 2) | bits[(without + 2) % 3]]++;
        }
      }
      for (int[] counts : seen) {
        double chiSquare =
            Arrays.stream(counts)
                .mapToDouble(n -> (n - expected) * (n - expected) / expected)
                .sum();
        assertThat(chiSquare).as("15 degrees of freedom").isLessThan(44.3); // 1 in 10,000
      }
    }
  }

  @Test
  void theLongShareGoesToARandomServerAndIsNeverTheSameTwice() {
    int[] longOnes = new int[4];
    for (int i = 0; i < 200; i++) {
      List<QueryShare> shares = RetrievalQuery.of(5, 1000, 4, random).shares();
      List<byte[]> encoded = shares.stream().map(QueryShare::encode).toList();
      assertThat(encoded).filteredOn(share -> share.length == 1 + QueryShare.SEED_BYTES).hasSize(3);
      IntStream.range(0, 4)
          .filter(server -> encoded.get(server).length == 1 + 125)
          .forEach(server -> longOnes[server]++);
    }
    assertThat(longOnes).doesNotContain(0);
    assertThat(RetrievalQuery.of(5, 1000, 4, random).shares().getFirst().encode())
        .isNotEqualTo(RetrievalQuery.of(5, 1000, 4, random).shares().getFirst().encode());
  }

  /**
   * A server that changes a record in its own table spoils about half of all queries, those for
   * other records too. So the failure does not tell the server which record was read.
   */
  @Test
  void whetherOneServersLieIsNoticedDoesNotDependOnTheRecord() {
    List<byte[]> rows = rows(16, 8);
    RetrievalTable table = new RetrievalTable(rows);
    List<byte[]> changed = new ArrayList<>(rows);
    changed.set(3, new byte[8]);
    RetrievalTable liar = new RetrievalTable(changed);
    for (int index : new int[] {3, 12}) {
      int spoiled = 0;
      for (int i = 0; i < 1000; i++) {
        RetrievalQuery query = RetrievalQuery.of(index, 16, 3, random);
        List<byte[]> answers = new ArrayList<>(ask(table, query));
        answers.set(1, liar.answer(query.shares().get(1)));
        spoiled += Arrays.equals(query.combine(answers, 8), rows.get(index)) ? 0 : 1;
      }
      assertThat(spoiled).as("record %d", index).isBetween(400, 600); // 6 standard deviations
    }
  }

  /**
   * Shares that select nothing, and everything: a table that skipped records would be fast for one.
   */
  @Test
  void workDoesNotDependOnWhatIsSelected() {
    int records = 8_000;
    RetrievalTable table = new RetrievalTable(rows(records, RECORD));
    byte[] all = new byte[records / 8];
    Arrays.fill(all, (byte) -1);
    QueryShare nothing = QueryShare.ofBits(new byte[records / 8]);
    QueryShare everything = QueryShare.ofBits(all);
    for (int batch : new int[] {1, 8}) {
      long least = Long.MAX_VALUE;
      long most = Long.MAX_VALUE;
      for (int i = 0; i < 7; i++) {
        least = Math.min(least, nanos(table, nothing, batch));
        most = Math.min(most, nanos(table, everything, batch));
      }
      assertThat((double) most / least).as("batch of %d", batch).isBetween(0.4, 2.5);
    }
  }

  @Test
  void sharesOfAnotherFormOrLengthAreRefused() {
    RetrievalTable table = new RetrievalTable(rows(17, 8));
    QueryShare right = QueryShare.decode(new byte[] {1, 0, 0, 0});
    assertThat(table.answer(right)).containsOnly(0);
    assertThat(QueryShare.decode(right.encode()).encode()).isEqualTo(right.encode());
    for (int length : new int[] {2, 3, 5, 34}) {
      byte[] encoded = new byte[length];
      encoded[0] = 1;
      assertMalformed(() -> table.answer(QueryShare.decode(encoded)));
      assertMalformed(() -> table.answers(List.of(right, QueryShare.decode(encoded))));
    }
    assertMalformed(() -> QueryShare.decode(new byte[0]));
    assertMalformed(() -> QueryShare.decode(new byte[] {1}));
    assertMalformed(() -> QueryShare.decode(new byte[32]));
    assertMalformed(() -> QueryShare.decode(new byte[34]));
    byte[] unknown = new byte[33];
    unknown[0] = 2;
    assertMalformed(() -> QueryShare.decode(unknown));
  }

  @Test
  void tablesAndAnswersOfOtherLengthsAreRefused() {
    assertMalformed(() -> new RetrievalTable(List.of()));
    assertMalformed(() -> new RetrievalTable(List.of(new byte[0])));
    assertMalformed(() -> new RetrievalTable(List.of(new byte[8], new byte[7])));
    assertMalformed(() -> new RetrievalTable(List.of(new byte[8], new byte[9])));
    assertMalformed(
        () -> new RetrievalTable(List.of(new byte[RetrievalTable.MAX_RECORD_BYTES + 1])));
    RetrievalQuery query = RetrievalQuery.of(0, 4, 2, random);
    assertMalformed(() -> query.combine(List.of(new byte[8]), 8));
    assertMalformed(() -> query.combine(List.of(new byte[8], new byte[7]), 8));
    assertMalformed(() -> query.combine(List.of(new byte[8], new byte[8], new byte[8]), 8));
  }

  @Test
  void aQueryIsForARecordOfTheTableAndTwoServersAtLeast() {
    for (int index : new int[] {-1, 4}) {
      assertThatThrownBy(() -> RetrievalQuery.of(index, 4, 2, random))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (int servers : new int[] {0, 1, RetrievalQuery.MAX_SERVERS + 1}) {
      assertThatThrownBy(() -> RetrievalQuery.of(0, 4, servers, random))
          .isInstanceOf(IllegalArgumentException.class);
    }
    RetrievalTable table = new RetrievalTable(rows(4, 8));
    List<QueryShare> many =
        Collections.nCopies(RetrievalTable.MAX_BATCH + 1, QueryShare.decode(new byte[] {1, 0}));
    assertThatThrownBy(() -> table.answers(many)).isInstanceOf(IllegalArgumentException.class);
  }

  private static long nanos(RetrievalTable table, QueryShare share, int batch) {
    List<QueryShare> shares = Collections.nCopies(batch, share);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean(); // other programs do not count
    long begun = threads.getCurrentThreadCpuTime();
    table.answers(shares);
    return threads.getCurrentThreadCpuTime() - begun;
  }

  private static List<byte[]> ask(RetrievalTable table, RetrievalQuery query) {
    return query.shares().stream()
        .map(share -> table.answer(QueryShare.decode(share.encode())))
        .toList();
  }

  private List<byte[]> rows(int records, int length) {
    return IntStream.range(0, records)
        .mapToObj(i -> {
          byte[] row = new byte[length];
          content.nextBytes(row);
          return row;
        })
        .toList();
  }

  private static void assertMalformed(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.code()).isEqualTo(RejectionCode.MALFORMED_REQUEST));
  }
}
