package io.solidus.chaos;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every signature that left a validator, as it came in, whoever asked for it and whether or not anybody still wanted it. */
final class Tap {

  /**
   * A signature.
   *
   * @param bytes of the message that holds it
   * @param valid whether it is the authority's own on what the core stands for
   */
  record Signed(int authority, TxCore core, List<SerialNumber> serials, byte[] bytes, boolean valid) {}

  private record Key(int authority, TxCore core) {}

  private final Map<Key, Map<ByteBuffer, Signed>> seen = new HashMap<>();
  private final Map<Integer, Long> newest = new HashMap<>();

  /**
   * A repetition of the same bytes adds nothing; other bytes for the same core do.
   *
   * @param begunAt when the transfer was drafted, by {@link System#nanoTime}
   */
  synchronized void add(Signed signed, long begunAt) {
    newest.merge(signed.authority(), begunAt, (a, b) -> a - b > 0 ? a : b);
    seen.computeIfAbsent(new Key(signed.authority(), signed.core()), key -> new HashMap<>(2))
        .putIfAbsent(ByteBuffer.wrap(signed.bytes()), signed);
  }

  /** Whether the authority has signed a transfer that was drafted after a moment. */
  synchronized boolean signedSince(int authority, long moment) {
    Long begun = newest.get(authority);
    return begun != null && begun - moment > 0;
  }

  synchronized List<Signed> all() {
    List<Signed> all = new ArrayList<>();
    seen.values().forEach(each -> all.addAll(each.values()));
    return all;
  }

  /** The authorities of which a signature on the core is known. */
  synchronized Map<TxCore, List<Integer>> authorities() {
    Map<TxCore, List<Integer>> authorities = new HashMap<>();
    seen.keySet().forEach(key -> authorities.computeIfAbsent(key.core(), core -> new ArrayList<>()).add(key.authority()));
    return authorities;
  }
}
