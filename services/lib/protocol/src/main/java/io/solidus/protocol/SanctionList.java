package io.solidus.protocol;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The address keys that may neither pay nor be paid.
 *
 * @param keys strictly ascending, without the sentinels
 */
public record SanctionList(List<SanctionKey> keys) {
  /** The leaves of the 3-ary tree of depth 12, less one, because n keys make n+1 intervals. */
  public static final int MAX_KEYS = 531_440;

  public SanctionList {
    keys = List.copyOf(keys);
    if (keys.size() > MAX_KEYS) {
      throw ProtocolException.malformed("a sanction list is too long");
    }
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).isSentinel() || (i > 0 && keys.get(i - 1).compareTo(keys.get(i)) >= 0)) {
        throw ProtocolException.malformed(
            "a sanction list is sorted, distinct and without sentinels");
      }
    }
    if (!keys.isEmpty() && keys.getLast().compareTo(SanctionKey.LAST) > 0) {
      throw ProtocolException.malformed("a sanction list holds a key beyond the field");
    }
  }

  /**
   * Reads a list.
   *
   * @param bytes the keys, 20 bytes each, without separators
   */
  public static SanctionList fromBytes(byte[] bytes) {
    if (bytes.length % SanctionKey.BYTES != 0) {
      throw ProtocolException.malformed("a sanction list is a sequence of 20-byte keys");
    }
    List<SanctionKey> keys = new ArrayList<>(bytes.length / SanctionKey.BYTES);
    for (int at = 0; at < bytes.length; at += SanctionKey.BYTES) {
      keys.add(new SanctionKey(Arrays.copyOfRange(bytes, at, at + SanctionKey.BYTES)));
    }
    return new SanctionList(keys);
  }

  public byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(keys.size() * SanctionKey.BYTES);
    keys.forEach(key -> out.writeBytes(key.bytes()));
    return out.toByteArray();
  }

  /** SHA-256("solidus/sanction-list/v1" || network digest || bytes). */
  public Digest32 digest(NetworkId network) {
    return new Digest32(
        new Transcript("solidus/sanction-list/v1")
            .bytes(network.digest().bytes())
            .bytes(toBytes())
            .sha256());
  }
}
