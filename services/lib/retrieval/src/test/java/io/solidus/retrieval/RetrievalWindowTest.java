package io.solidus.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.ProtocolException;
import java.security.SecureRandom;
import java.util.ArrayList;
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
