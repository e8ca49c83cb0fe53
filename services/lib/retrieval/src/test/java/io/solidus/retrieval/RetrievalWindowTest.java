package io.solidus.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several tables that are read as one. */
class RetrievalWindowTest {
  private static final int RECORD = 20;

  private final SecureRandom random = new SecureRandom();
  private final Random content = new Random(69);

  @Test
  void everyRecordOfEveryTableIsRead() {
    List<Integer> records = List.of(1, 8, 9, 31, 4);
    List<List<byte[]>> rows = records.stream().map(this::rows).toList();
    RetrievalWindow window = window(rows);
    assertThat(RetrievalWindow.size(records)).isEqualTo(8 + 8 + 16 + 32 + 8);
    for (int table = 0; table < records.size(); table++) {
      for (int i = 0; i < records.get(table); i++) {
        RetrievalQuery query =
            RetrievalQuery.of(
                RetrievalWindow.place(records, table, i), RetrievalWindow.size(records), 3, random);
        List<byte[]> answers = query.shares().stream().map(window::answer).toList();
        assertThat(query.combine(answers, RECORD)).isEqualTo(rows.get(table).get(i));
      }
    }
  }

  /** Queries for several lists of one bucket: the tables that they have in common are read once. */
  @Test
  void windowsWithTablesInCommonAreAnsweredTogether() {
    List<Integer> records = List.of(5, 9, 3, 14);
    List<List<byte[]>> rows = records.stream().map(this::rows).toList();
    int[] read = new int[records.size()];
    List<RetrievalTable> tables =
        IntStream.range(0, records.size()).mapToObj(i -> counted(rows.get(i), i, read)).toList();
    for (int batch : new int[] {2, 7}) {
      Arrays.fill(read, 0);
      List<RetrievalQuery> queries = new ArrayList<>();
      List<byte[]> wanted = new ArrayList<>();
      List<RetrievalWindow.Asked> asked = new ArrayList<>();
      for (int i = 0; i < batch; i++) {
        int from = i % 2;
        int to = records.size() - i % 3 % 2;
        RetrievalWindow window = new RetrievalWindow(tables.subList(from, to));
        List<Integer> its = records.subList(from, to);
        int table = i % its.size();
        RetrievalQuery query =
            RetrievalQuery.of(
                RetrievalWindow.place(its, table, 1), RetrievalWindow.size(its), 2, random);
        queries.add(query);
        wanted.add(rows.get(from + table).get(1));
        query.shares().forEach(share -> asked.add(window.ask(share)));
      }
      List<byte[]> answers = RetrievalWindow.answers(asked);
      for (int i = 0; i < batch; i++) {
        assertThat(queries.get(i).combine(answers.subList(2 * i, 2 * i + 2), RECORD))
            .isEqualTo(wanted.get(i));
      }
      assertThat(read).containsOnly(1);
    }
  }

  /** A table that counts how often it is read. */
  private static RetrievalTable counted(List<byte[]> rows, int number, int[] read) {
    int width = (RECORD + 7) / 8;
    ByteBuffer words =
        ByteBuffer.allocate((int) RetrievalTable.storedBytes(rows.size(), RECORD))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows.size(); i++) {
      words.put(i * width * 8, rows.get(i));
    }
    return new RetrievalTable(
        rows.size(),
        RECORD,
        () -> {
          read[number]++;
          LongBuffer in = words.duplicate().order(ByteOrder.LITTLE_ENDIAN).rewind().asLongBuffer();
          return new StoredRecords.Reading() {
            @Override
            public void next(long[] into, int length) {
              in.get(into, 0, length);
            }

            @Override
            public void close() {}
          };
        });
  }

  /** Whoever selects a place between two tables gets nothing more. */
  @Test
  void aPlaceWithoutARecordAddsNothing() {
    RetrievalWindow window = window(List.of(rows(1), rows(1)));
    assertThat(window.answer(QueryShare.ofBits(new byte[] {(byte) 0xfe, 0})))
        .isEqualTo(new byte[RECORD]);
  }

  @Test
  void sharesAndTablesOfOtherLengthsAreRefused() {
    RetrievalWindow window = window(List.of(rows(8), rows(8)));
    for (int length : new int[] {1, 3}) {
      assertThatThrownBy(() -> window.answer(QueryShare.ofBits(new byte[length])))
          .isInstanceOf(ProtocolException.class);
    }
    assertThatThrownBy(() -> new RetrievalWindow(List.of())).isInstanceOf(ProtocolException.class);
    RetrievalTable longer = new RetrievalTable(List.of(new byte[RECORD + 1]));
    List<RetrievalTable> different = new ArrayList<>(List.of(new RetrievalTable(rows(1)), longer));
    assertThatThrownBy(() -> new RetrievalWindow(different)).isInstanceOf(ProtocolException.class);
    for (int record : new int[] {-1, 8}) {
      assertThatThrownBy(() -> RetrievalWindow.place(List.of(8, 9), 0, record))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static RetrievalWindow window(List<List<byte[]>> tables) {
    return new RetrievalWindow(tables.stream().map(RetrievalTable::new).toList());
  }

  private List<byte[]> rows(int records) {
    return IntStream.range(0, records)
        .mapToObj(i -> {
          byte[] row = new byte[RECORD];
          content.nextBytes(row);
          return row;
        })
        .toList();
  }
}
