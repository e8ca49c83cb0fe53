package io.solidus.loadtest.chaos.load;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Records every signature that left a validator, in the order of arrival. */
public final class SignatureTap {

  /**
   * A signature of one epoch.
   *
   * @param bytes of the message that contains it
   * @param valid whether it is this authority's signature on this core
   */
  public record Signed(
      int authority, TxCore core, List<SerialNumber> serials, ByteString bytes, boolean valid) {

    /** Of the shares that signed; -1 when the message cannot be read. */
    public int epoch() {
      try {
        return PartialSignature.parseFrom(bytes).getShareEpoch();
      } catch (InvalidProtocolBufferException e) {
        return -1;
      }
    }
  }

  private static final int MAX_ALARMS = 20;

  private record Key(int authority, TxCore core, int epoch) {}

  private final Map<Key, Map<ByteString, Signed>> seen = new HashMap<>();
  private final Map<Integer, Long> newest = new HashMap<>();
  private final Map<Integer, Map<SerialNumber, TxCore>> cores = new HashMap<>();
  private final List<Signed> inOrder = new ArrayList<>();
  private final List<String> alarms = new ArrayList<>();

  /**
   * Adds a signature. The same bytes again add nothing; other bytes for the same core do.
   *
   * @param begunAt when the transfer was drafted, by {@link System#nanoTime}
   */
  public synchronized void add(Signed signed, long begunAt) {
    newest.merge(signed.authority(), begunAt, (a, b) -> a - b > 0 ? a : b);
    Map<ByteString, Signed> answers =
        seen.computeIfAbsent(
            new Key(signed.authority(), signed.core(), signed.epoch()), key -> new HashMap<>(2));
    if (answers.putIfAbsent(signed.bytes(), signed) == null) {
      inOrder.add(signed);
      watch(signed, answers.size());
    }
  }

  /** Raises an alarm for a contradiction; the checks at the end find it again. */
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
    alarm(signed.authority(), signed.core(), words);
  }

  private void alarm(int authority, TxCore core, String words) {
    if (alarms.size() < MAX_ALARMS) {
      alarms.add("authority " + authority + ", " + core + ": " + words);
    }
  }

  /** Raises an alarm: a wrong answer that a fault gave passed the check of a signature. */
  synchronized void deceived(int authority, TxCore core) {
    alarm(authority, core, "a lie was taken for a signature");
  }

  /** The contradictions found on arrival. */
  public synchronized List<String> alarms() {
    return List.copyOf(alarms);
  }

  /** All signatures after the first {@code count}, in the order of arrival. */
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

  /** The authorities that signed each core, in whatever epoch. */
  synchronized Map<TxCore, Set<Integer>> authorities() {
    Map<TxCore, Set<Integer>> authorities = new HashMap<>();
    seen.keySet()
        .forEach(key ->
            authorities.computeIfAbsent(key.core(), core -> new TreeSet<>()).add(key.authority()));
    return authorities;
  }
}
