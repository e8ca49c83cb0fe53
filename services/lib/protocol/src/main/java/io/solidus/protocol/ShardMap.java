package io.solidus.protocol;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Assigns every serial number to exactly one shard of an authority. The ranges, sorted, adjoin from
 * 0 to r. By shard number they may be in any order, because a shard that is split keeps its number
 * and the lower part.
 */
public final class ShardMap {
  /** The largest number of shards that fits a signed note. */
  public static final int MAX_SHARDS = 256;

  private static final String KIND = "shard-map";
  private static final String SEPARATOR = "..";
  private static final String END = "r";

  private final int authority;
  private final long version;
  private final List<ShardRange> ranges;

  /** Shard numbers in the order of their ranges. */
  private final int[] ordered;

  /**
   * @param version 1, 2, ...: never reused
   * @param ranges of shard 0, 1, ...
   */
  public ShardMap(int authority, long version, List<ShardRange> ranges) {
    this.authority = authority;
    this.version = version;
    this.ranges = List.copyOf(ranges);
    if (authority < 1 || authority > Committee.MAX_MEMBERS || version < 1) {
      throw ProtocolException.malformed("a shard map's number is out of range");
    }
    if (ranges.isEmpty() || ranges.size() > MAX_SHARDS) {
      throw ProtocolException.malformed("a shard map has 1 to " + MAX_SHARDS + " shards");
    }
    this.ordered =
        IntStream.range(0, ranges.size())
            .boxed()
            .sorted(Comparator.comparing(shard -> ranges.get(shard).lo()))
            .mapToInt(Integer::intValue)
            .toArray();
    requireAdjoining();
  }

  private void requireAdjoining() {
    FieldElement reached = FieldElement.ZERO;
    for (int shard : ordered) {
      ShardRange range = ranges.get(shard);
      if (reached == null || !range.lo().equals(reached)) {
        throw ProtocolException.malformed("shard ranges adjoin from 0 on");
      }
      reached = range.hiExclusive();
    }
    if (reached != null) {
      throw ProtocolException.malformed("shard ranges end at r");
    }
  }

  /**
   * Divides [0, r) into equal parts. Not [0, 2^256), because no serial number lies in its upper
   * half.
   */
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

  /** As {@link #equal(int, long, int)}, for authority 1 and version 1. */
  public static ShardMap equal(int shards) {
    return equal(1, 1, shards);
  }

  public int authority() {
    return authority;
  }

  public long version() {
    return version;
  }

  /** The ranges of shard 0, 1, ... */
  public List<ShardRange> ranges() {
    return ranges;
  }

  /** The number of shards. */
  public int shards() {
    return ranges.size();
  }

  /** Returns the shard that owns a serial number. */
  public int owner(SerialNumber serial) {
    int low = 0;
    int high = ordered.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (serial.value().compareTo(ranges.get(ordered[middle]).lo()) >= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return ordered[low];
  }

  /**
   * Returns the next version of the map, in which a new shard has the upper part of a shard's
   * range. The new shard gets the next number.
   *
   * @param at the first serial number of the upper part; inside the range and not its first
   */
  public ShardMap split(int shard, FieldElement at) {
    if (shard < 0 || shard >= ranges.size()) {
      throw ProtocolException.malformed("no such shard");
    }
    ShardRange whole = ranges.get(shard);
    if (at.equals(whole.lo()) || !whole.contains(new SerialNumber(at))) {
      throw ProtocolException.malformed("a shard is split inside its range");
    }
    List<ShardRange> next = new ArrayList<>(ranges);
    next.set(shard, new ShardRange(whole.lo(), at));
    next.add(new ShardRange(at, whole.hiExclusive()));
    return new ShardMap(authority, version + 1, next);
  }

  public String toNoteText(NetworkId network) {
    NoteText.Writer out =
        NoteText.write(KIND, network)
            .line("authority", authority)
            .line("version", version)
            .line("shards", ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      FieldElement end = ranges.get(i).hiExclusive();
      out.line(
          "shard-" + i, ranges.get(i).lo().hex() + SEPARATOR + (end == null ? END : end.hex()));
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
    ShardMap map = new ShardMap(authority, version, ranges);
    if (!map.toNoteText(network).equals(text)) {
      throw ProtocolException.malformed("a shard map's text is not in canonical form");
    }
    return map;
  }

  /**
   * Reads the map of a note that the authority signed.
   *
   * @param key the authority's, from the committee's manifest
   * @throws ProtocolException malformed-request, unknown-version, wrong-network, or
   *     signature-invalid when {@code key} did not sign it
   */
  public static ShardMap signed(NetworkId network, int authority, NoteKey key, String note) {
    return signed(network, authority, NoteKeys.of(key), note, Instant.EPOCH);
  }

  /**
   * Reads the map of a note that the authority signed, with a key that counts now.
   *
   * @throws ProtocolException as {@link #signed(NetworkId, int, NoteKey, String)}
   */
  public static ShardMap signed(
      NetworkId network, int authority, NoteKeys keys, String note, Instant now) {
    ShardMap map = parse(network, keys.require(SignedNote.parse(note), now).text());
    if (map.authority() != authority) {
      throw ProtocolException.malformed("a shard map is of another authority");
    }
    return map;
  }

  /** The same ranges as the next version. */
  public ShardMap next() {
    return new ShardMap(authority, version + 1, ranges);
  }

  /** Returns the map as a note that its authority signed; {@link #signed} reads it. */
  public String sign(NetworkId network, NoteSigner authority) {
    return SignedNote.sign(toNoteText(network), authority).encode();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardMap that
        && authority == that.authority
        && version == that.version
        && ranges.equals(that.ranges);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * authority + Long.hashCode(version)) + ranges.hashCode();
  }

  @Override
  public String toString() {
    return "ShardMap[authority="
        + authority
        + ", version="
        + version
        + ", shards="
        + ranges.size()
        + "]";
  }

  private static ShardRange range(String text) {
    int at = text.indexOf(SEPARATOR);
    if (at < 0) {
      throw ProtocolException.malformed("a shard range is malformed");
    }
    String end = text.substring(at + SEPARATOR.length());
    return new ShardRange(edge(text.substring(0, at)), end.equals(END) ? null : edge(end));
  }

  /** Reads a bound. Only lower case is accepted, so that one map has one text. */
  private static FieldElement edge(String hex) {
    FieldElement value = FieldElement.fromHex(hex);
    if (!value.hex().equals(hex)) {
      throw ProtocolException.malformed("a shard range is not lower-case hexadecimal");
    }
    return value;
  }

  private static FieldElement bound(int i, int shards) {
    return FieldElement.of(
        FieldElement.MODULUS.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(shards)));
  }
}
