package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Every signature that left a validator, as it came in, whoever asked for it and whether or not
 * anybody still wanted it.
 */
public final class Tap {

  /**
   * A signature.
   *
   * @param bytes of the message that holds it
   * @param valid whether it is the authority's own on what the core stands for
   */
  public record Signed(
      int authority, TxCore core, List<SerialNumber> serials, byte[] bytes, boolean valid) {}

  private static final int MAX_ALARMS = 20;

  private record Key(int authority, TxCore core) {}

  private final Map<Key, Map<ByteBuffer, Signed>> seen = new HashMap<>();
  private final Map<Integer, Long> newest = new HashMap<>();
  private final Map<Integer, Map<SerialNumber, TxCore>> cores = new HashMap<>();
  private final List<Signed> inOrder = new ArrayList<>();
  private final List<String> alarms = new ArrayList<>();

  /**
   * A repetition of the same bytes adds nothing; other bytes for the same core do.
   *
   * @param begunAt when the transfer was drafted, by {@link System#nanoTime}
   */
  public synchronized void add(Signed signed, long begunAt) {
    newest.merge(signed.authority(), begunAt, (a, b) -> a - b > 0 ? a : b);
    Map<ByteBuffer, Signed> answers =
        seen.computeIfAbsent(new Key(signed.authority(), signed.core()), key -> new HashMap<>(2));
    if (answers.putIfAbsent(ByteBuffer.wrap(signed.bytes()), signed) == null) {
      inOrder.add(signed);
      watch(signed, answers.size());
    }
  }

  /** What can be seen at once to be wrong; the checks at the end see it again. */
  private void watch(Signed signed, int answers) {
    if (!signed.valid()) {
      alarm(signed, "a wrong signature");
    }
    if (answers > 1) {
      alarm(signed, "other bytes than before");
    }
    Map<SerialNumber, TxCore> known =
        cores.computeIfAbsent(signed.authority(), authority -> new HashMap<>());
    for (SerialNumber serial : signed.serials()) {
      TxCore other = known.putIfAbsent(serial, signed.core());
      if (other != null && !other.equals(signed.core())) {
        alarm(signed, "a second core of a serial number");
      }
    }
  }

  private void alarm(Signed signed, String words) {
    if (alarms.size() < MAX_ALARMS) {
      alarms.add("authority " + signed.authority() + ", " + signed.core() + ": " + words);
    }
  }

  /** What was wrong as soon as it was seen. */
  public synchronized List<String> alarms() {
    return List.copyOf(alarms);
  }

  /** All signatures but the first so many, in the order in which they came. */
  public synchronized List<Signed> after(int count) {
    return List.copyOf(inOrder.subList(count, inOrder.size()));
  }

  /** Whether the authority has signed a transfer that was drafted after a moment. */
  public synchronized boolean signedSince(int authority, long moment) {
    Long begun = newest.get(authority);
    return begun != null && begun - moment > 0;
  }

  public synchronized List<Signed> all() {
    return List.copyOf(inOrder);
  }

  /** The authorities of which a signature on the core is known. */
  synchronized Map<TxCore, List<Integer>> authorities() {
    Map<TxCore, List<Integer>> authorities = new HashMap<>();
    seen.keySet()
        .forEach(key ->
            authorities
                .computeIfAbsent(key.core(), core -> new ArrayList<>())
                .add(key.authority()));
    return authorities;
  }
}
