package io.solidus.retrieval;

import io.solidus.protocol.ProtocolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of one length, in memory or stored elsewhere, and the sums (XOR) of those that queries
 * select. Immutable, and safe for use by several threads.
 *
 * <p>Every query costs the same work and reads every record, whatever its bits are. Whoever knows
 * all shares but one knows the bits of the last one up to the record that is asked for; were work
 * to depend on the bits, the time of an answer would tell that the record is among a half of the
 * table.
 */
public final class RetrievalTable {
  /** The most queries that are answered at once. */
  public static final int MAX_BATCH = 256;

  /** The longest record, in bytes. */
  public static final int MAX_RECORD_BYTES = 1 << 16;

  /** Records that are taken together; a byte of bits holds two groups. */
  private static final int GROUP = 4;

  private static final int SUMS = 1 << GROUP;

  /** Groups of stored records that are read together: 77 KB with records of 1200 bytes. */
  private static final int READ_GROUPS = 16;

  /** From as many queries on it pays to add up every choice of a group's records first. */
  private static final int SHARED_SUMS_FROM = 4;

  private final int recordBytes;
  private final int records;

  /** Eight-byte words of a record, of which zeros fill the last one. */
  private final int width;

  /** The records, then records of zeros up to a multiple of a group; null when they are stored. */
  private final long @Nullable [] words;

  private final @Nullable StoredRecords stored;

  /**
   * Copies records into a table.
   *
   * @param records one at least, with equal lengths
   * @throws ProtocolException malformed-request when there is none, one has another length than the
   *     first, or they are too long or too many for one array
   */
  public RetrievalTable(List<byte[]> records) {
    if (records.isEmpty()) {
      throw ProtocolException.malformed("a table has records");
    }
    this.records = records.size();
    this.recordBytes = records.getFirst().length;
    this.width = width(recordBytes);
    this.stored = null;
    this.words = new long[words(this.records, width)];
    byte[] padded = new byte[width * Long.BYTES];
    for (int i = 0; i < this.records; i++) {
      byte[] each = records.get(i);
      if (each.length != recordBytes) {
        throw ProtocolException.malformed("all records of a table have one length");
      }
      System.arraycopy(each, 0, padded, 0, recordBytes);
      buffer(padded).asLongBuffer().get(this.words, i * width, width);
    }
  }

  /**
   * A table of stored records.
   *
   * @param records one at least
   * @throws ProtocolException malformed-request when they are too long or too many
   */
  public RetrievalTable(int records, int recordBytes, StoredRecords stored) {
    if (records < 1) {
      throw ProtocolException.malformed("a table has records");
    }
    this.records = records;
    this.recordBytes = recordBytes;
    this.width = width(recordBytes);
    int unused = words(records, width);
    this.stored = stored;
    this.words = null;
  }

  /** How many bytes {@link StoredRecords} have. */
  public static long storedBytes(int records, int recordBytes) {
    return (long) Long.BYTES * words(records, width(recordBytes));
  }

  private static int width(int recordBytes) {
    if (recordBytes < 1 || recordBytes > MAX_RECORD_BYTES) {
      throw ProtocolException.malformed("a record has 1 to " + MAX_RECORD_BYTES + " bytes");
    }
    return (recordBytes + Long.BYTES - 1) / Long.BYTES;
  }

  private static int words(int records, int width) {
    long words = (records + GROUP - 1L) / GROUP * GROUP * width;
    if (words > Integer.MAX_VALUE - Long.BYTES) {
      throw ProtocolException.malformed("the table is too large");
    }
    return (int) words;
  }

  public int records() {
    return records;
  }

  public int recordBytes() {
    return recordBytes;
  }

  /** The answer to one share, see {@link #answers}. */
  public byte[] answer(QueryShare share) {
    return answers(List.of(share)).getFirst();
  }

  /**
   * The answers to several shares, for which the memory is read once.
   *
   * @param shares at most {@link #MAX_BATCH}
   * @return for each share the sum of the records that it selects, in the order of the shares
   * @throws ProtocolException malformed-request when a share is for another number of records
   * @throws UncheckedIOException when stored records cannot be read
   */
  public List<byte[]> answers(List<QueryShare> shares) {
    if (shares.size() > MAX_BATCH) {
      throw new IllegalArgumentException("at most " + MAX_BATCH + " queries are answered at once");
    }
    Sums sums = new Sums(shares.stream().map(share -> share.bits(records)).toArray(byte[][]::new));
    int groups = (records + GROUP - 1) / GROUP;
    if (words != null) {
      sums.add(words, 0, groups);
    } else if (stored != null) {
      read(stored, groups, sums);
    }
    return Arrays.stream(sums.sums).map(this::bytes).toList();
  }

  private void read(StoredRecords from, int groups, Sums sums) {
    long[] part = new long[Math.min(groups, READ_GROUPS) * GROUP * width];
    try (StoredRecords.Reading reading = from.open()) {
      for (int group = 0; group < groups; group += READ_GROUPS) {
        int some = Math.min(READ_GROUPS, groups - group);
        reading.next(part, some * GROUP * width);
        sums.add(part, group, some);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What several queries have added up so far. */
  private final class Sums {
    private final byte[][] bits;
    private final long[][] sums;

    /** The sums of every choice of a group's records, where that pays. */
    private final long[][] choices;

    Sums(byte[][] bits) {
      this.bits = bits;
      this.sums = new long[bits.length][width];
      this.choices = new long[bits.length < SHARED_SUMS_FROM ? 0 : SUMS][width];
    }

    /**
     * Adds the selected records of some groups.
     *
     * @param words of these groups alone
     */
    void add(long[] words, int firstGroup, int groups) {
      if (choices.length == 0) {
        // one query after the other: two sums in turn would take longer than twice one
        for (int query = 0; query < bits.length; query++) {
          for (int i = 0; i < groups; i++) {
            addSelected(sums[query], words, i * GROUP * width, chosen(bits[query], firstGroup + i));
          }
        }
      } else {
        for (int i = 0; i < groups; i++) {
          addUp(choices, words, i * GROUP * width);
          for (int query = 0; query < bits.length; query++) {
            RetrievalTable.add(sums[query], choices[chosen(bits[query], firstGroup + i)]);
          }
        }
      }
    }
  }

  /** The four bits of a group's records. */
  private static int chosen(byte[] bits, int group) {
    return (bits[group / 2] >>> ((group % 2) * GROUP)) & (SUMS - 1);
  }

  /** Adds the chosen ones of four records: masks in place of branches. */
  private void addSelected(long[] sum, long[] words, int first, int chosen) {
    long mask0 = -(chosen & 1L);
    long mask1 = -((chosen >> 1) & 1L);
    long mask2 = -((chosen >> 2) & 1L);
    long mask3 = -((chosen >> 3) & 1L);
    int second = first + width;
    int third = second + width;
    int fourth = third + width;
    for (int i = 0; i < width; i++) {
      sum[i] ^=
          (words[first + i] & mask0)
              ^ (words[second + i] & mask1)
              ^ (words[third + i] & mask2)
              ^ (words[fourth + i] & mask3);
    }
  }

  /**
   * The sum of every choice of four records, one addition each. Which of them a query needs depends
   * on its bits, so that address does, too: within 16 records, which stay in a core's own cache.
   */
  private void addUp(long[][] choices, long[] words, int first) {
    for (int chosen = 1; chosen < SUMS; chosen++) {
      int last = Integer.numberOfTrailingZeros(chosen);
      addTo(choices[chosen], choices[chosen & (chosen - 1)], words, first + last * width);
    }
  }

  private void addTo(long[] sum, long[] without, long[] words, int at) {
    for (int i = 0; i < width; i++) {
      sum[i] = without[i] ^ words[at + i];
    }
  }

  private static void add(long[] sum, long[] summand) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= summand[i];
    }
  }

  private byte[] bytes(long[] sum) {
    byte[] padded = new byte[width * Long.BYTES];
    buffer(padded).asLongBuffer().put(sum);
    return Arrays.copyOf(padded, recordBytes);
  }

  private static ByteBuffer buffer(byte[] padded) {
    return ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
  }
}
