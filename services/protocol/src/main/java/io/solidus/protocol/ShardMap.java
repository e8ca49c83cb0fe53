package io.solidus.protocol;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Which shard of an authority owns which serial numbers: every serial number has exactly one owner.
 *
 * @param version 1, 2, ...: never reused
 * @param ranges of shard 0, 1, ...: adjoining, from 0 to p
 */
public record ShardMap(int authority, long version, List<ShardRange> ranges) {
  private static final String KIND = "shard-map";
  private static final String SEPARATOR = "..";
  private static final String END = "p";
  private static final int MAX_SHARDS = 1024;

  public ShardMap {
    ranges = List.copyOf(ranges);
    if (authority < 1 || authority > Committee.MAX_MEMBERS || version < 1) {
      throw ProtocolException.malformed("a shard map's number is out of range");
    }
    if (ranges.isEmpty() || ranges.size() > MAX_SHARDS || !ranges.getFirst().lo().isZero()) {
      throw ProtocolException.malformed("a shard map starts at 0");
    }
    for (int i = 0; i < ranges.size(); i++) {
      FieldElement end = ranges.get(i).hiExclusive();
      boolean last = i == ranges.size() - 1;
      if (last ? end != null : !ranges.get(i + 1).lo().equals(end)) {
        throw ProtocolException.malformed("shard ranges adjoin and end at p");
      }
    }
  }

  /** Equal parts of [0, p), not of [0, 2^384): the top byte of a serial number is 0 or 1. */
  public static ShardMap equal(int authority, long version, int shards) {
    if (shards < 1 || shards > MAX_SHARDS) {
      throw ProtocolException.malformed("a shard map has 1 to " + MAX_SHARDS + " shards");
    }
    List<ShardRange> ranges = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      ranges.add(new ShardRange(bound(i, shards), i == shards - 1 ? null : bound(i + 1, shards)));
    }
    return new ShardMap(authority, version, ranges);
  }

  /** {@link #equal(int, long, int)} for authority 1, version 1: the ranges are the same for all. */
  public static ShardMap equal(int shards) {
    return equal(1, 1, shards);
  }

  /** The index of the shard that owns a serial number. */
  public int owner(SerialNumber serial) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (serial.value().compareTo(ranges.get(middle).lo()) >= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  public String toNoteText(NetworkId network) {
    NoteText.Writer out =
        NoteText.write(KIND, network)
            .line("authority", authority)
            .line("version", version)
            .line("shards", ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      FieldElement end = ranges.get(i).hiExclusive();
      out.line("shard-" + i, ranges.get(i).lo().hex() + SEPARATOR + (end == null ? END : end.hex()));
    }
    return out.text();
  }

  public static ShardMap parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    int authority = in.smallNumber("authority");
    long version = in.number("version");
    int shards = in.smallNumber("shards");
    if (shards > MAX_SHARDS) {
      throw ProtocolException.malformed("a shard map has too many shards");
    }
    List<ShardRange> ranges = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      ranges.add(range(in.string("shard-" + i)));
    }
    in.end();
    return new ShardMap(authority, version, ranges);
  }

  private static ShardRange range(String text) {
    int at = text.indexOf(SEPARATOR);
    if (at < 0) {
      throw ProtocolException.malformed("a shard range is malformed");
    }
    String end = text.substring(at + SEPARATOR.length());
    ShardRange range =
        new ShardRange(
            FieldElement.fromHex(text.substring(0, at)), end.equals(END) ? null : FieldElement.fromHex(end));
    return range;
  }

  private static FieldElement bound(int i, int shards) {
    return FieldElement.of(
        FieldElement.MODULUS.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(shards)));
  }
}
