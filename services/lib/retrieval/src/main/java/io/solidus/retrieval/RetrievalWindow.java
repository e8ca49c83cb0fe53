package io.solidus.retrieval;

import io.solidus.protocol.ProtocolException;
import java.util.Arrays;
import java.util.List;

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
    return answers(List.of(share)).getFirst();
  }

  /**
   * The answers to several shares, for which every record is read once.
   *
   * @param shares at most {@link RetrievalTable#MAX_BATCH}
   * @return in the order of the shares
   * @throws ProtocolException malformed-request when a share is for another number of places
   */
  public List<byte[]> answers(List<QueryShare> shares) {
    List<byte[]> bits = shares.stream().map(share -> share.bits(bytes * Byte.SIZE)).toList();
    List<byte[]> sums =
        shares.stream().map(share -> new byte[tables.getFirst().recordBytes()]).toList();
    int from = 0;
    for (RetrievalTable table : tables) {
      int begin = from;
      int end = from + QueryShare.bytesFor(table.records());
      List<byte[]> parts =
          table.answers(
              bits.stream()
                  .map(all -> QueryShare.ofBits(Arrays.copyOfRange(all, begin, end)))
                  .toList());
      for (int i = 0; i < sums.size(); i++) {
        add(sums.get(i), parts.get(i));
      }
      from = end;
    }
    return sums;
  }

  private static void add(byte[] sum, byte[] part) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= part[i];
    }
  }
}
