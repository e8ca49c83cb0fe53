package io.solidus.retrieval;

import io.solidus.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several tables that are read as one. The bits of each table begin with a byte of their own, so a
 * table belongs to one window after the other and is not copied.
 */
public final class RetrievalWindow {
  private final List<RetrievalTable> tables;
  private final int bytes;

  /**
   * @param tables one at least, with records of one length
   * @throws ProtocolException malformed-request when there is none, or the lengths differ
   */
  public RetrievalWindow(List<RetrievalTable> tables) {
    if (tables.isEmpty()
        || tables.stream().mapToInt(RetrievalTable::recordBytes).distinct().count() > 1) {
      throw ProtocolException.malformed("a window has tables whose records have one length");
    }
    this.tables = List.copyOf(tables);
    this.bytes = size(tables.stream().map(RetrievalTable::records).toList()) / Byte.SIZE;
  }

  /**
   * The number of places that a query for these tables has; not every place has a record.
   *
   * @param records of each table
   */
  public static int size(List<Integer> records) {
    return Math.multiplyExact(
        Byte.SIZE, records.stream().mapToInt(QueryShare::bytesFor).reduce(0, Math::addExact));
  }

  /** The place of a record of a table. */
  public static int place(List<Integer> records, int table, int record) {
    if (record < 0 || record >= records.get(table)) {
      throw new IllegalArgumentException("the table has no record " + record);
    }
    return size(records.subList(0, table)) + record;
  }

  /**
   * The sum of all records that a share selects. Every record is read, whatever the bits are.
   *
   * @throws ProtocolException malformed-request when the share is for another number of places
   */
  public byte[] answer(QueryShare share) {
    return answers(List.of(ask(share))).getFirst();
  }

  /** A share of a query that has as many bits as its window. */
  public static final class Asked {
    private final RetrievalWindow window;
    private final byte[] bits;

    private Asked(RetrievalWindow window, byte[] bits) {
      this.window = window;
      this.bits = bits;
    }
  }

  /**
   * A share for this window.
   *
   * @throws ProtocolException malformed-request when it is for another number of places
   */
  public Asked ask(QueryShare share) {
    return new Asked(this, share.bits(bytes * Byte.SIZE));
  }

  /**
   * The answers to shares for windows that have tables in common: each table is read once.
   *
   * @param asked at most {@link RetrievalTable#MAX_BATCH}
   * @return in the order of the shares
   */
  public static List<byte[]> answers(List<Asked> asked) {
    List<byte[]> sums =
        asked.stream().map(each -> new byte[each.window.tables.getFirst().recordBytes()]).toList();
    Map<RetrievalTable, List<Part>> parts = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      int from = 0;
      for (RetrievalTable table : asked.get(i).window.tables) {
        int end = from + QueryShare.bytesFor(table.records());
        byte[] bits = Arrays.copyOfRange(asked.get(i).bits, from, end);
        parts
            .computeIfAbsent(table, any -> new ArrayList<>())
            .add(new Part(sums.get(i), QueryShare.ofBits(bits)));
        from = end;
      }
    }
    parts.forEach((table, its) -> {
      List<byte[]> answers = table.answers(its.stream().map(Part::share).toList());
      for (int i = 0; i < answers.size(); i++) {
        add(its.get(i).sum(), answers.get(i));
      }
    });
    return sums;
  }

  /** What one query selects of one table, and the sum that it belongs to. */
  private record Part(byte[] sum, QueryShare share) {}

  private static void add(byte[] sum, byte[] part) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= part[i];
    }
  }
}
