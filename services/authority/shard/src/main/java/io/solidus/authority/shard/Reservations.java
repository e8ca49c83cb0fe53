package io.solidus.authority.shard;

import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Reserves the serial numbers of whole batches of cores in one transaction, hence with one flush of
 * the write-ahead log. A core gets all of its serial numbers here or none: when another batch holds
 * one of them, the transaction is rolled back and repeated without that core.
 */
@Spec("V-07")
class Reservations {

  /**
   * Attempts for the whole batch, each without the cores rejected before; then the rest is tried
   * one by one.
   */
  private static final int ROUNDS = 3;

  /** Work in the transaction of a reservation. */
  @FunctionalInterface
  interface InTransaction {

    /**
     * Writes.
     *
     * @param cores all cores of the reservation
     * @param fresh the cores that hold at least one serial number since this transaction
     * @return cores that may not be reserved, with the reason; if there are any, the transaction is
     *     rolled back and repeated without them
     */
    Map<TxCore, ProtocolException> write(Set<TxCore> cores, Set<TxCore> fresh);
  }

  private final SerialStore serials;
  private final TransactionTemplate transaction;

  Reservations(SerialStore serials, TransactionTemplate transaction) {
    this.serials = serials;
    this.transaction = transaction;
  }

  /**
   * Reserves a batch.
   *
   * @param claims of distinct cores, no serial number twice
   * @return one outcome for each, in order: ok and durable, serial-conflict with what is held, or
   *     what {@code extra} refuses
   * @throws ProtocolException serials-not-distinct for a serial number that counts twice, which
   *     decoders should have refused; shard-moved; or what {@code extra} throws: then nothing is
   *     reserved
   */
  List<Outcome<Ok>> reserve(List<Claim> claims, InTransaction extra) {
    requireDistinct(claims);
    Map<TxCore, Outcome<Ok>> outcomes = new HashMap<>();
    List<Claim> left = claims;
    for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
      Map<TxCore, ProtocolException> rejected = attempt(left, extra);
      rejected.forEach((core, reason) -> outcomes.put(core, Outcome.failed(reason)));
      if (rejected.isEmpty()) {
        left.forEach(claim -> outcomes.put(claim.core(), Outcome.done(Ok.OK)));
      }
      left = left.stream().filter(claim -> !outcomes.containsKey(claim.core())).toList();
    }
    left.forEach(claim -> outcomes.put(claim.core(), alone(claim, extra)));
    return claims.stream().map(claim -> outcomes.get(claim.core())).toList();
  }

  /** A map of what is wanted would swallow a double, and the count of its rows would fit. */
  private static void requireDistinct(List<Claim> claims) {
    Set<SerialNumber> seen = new HashSet<>();
    if (!claims.stream().flatMap(claim -> claim.serials().stream()).allMatch(seen::add)) {
      throw new ProtocolException(
          RejectionCode.SERIALS_NOT_DISTINCT, "a batch names a serial number twice");
    }
  }

  /**
   * Reserves one claim. Some of the batch is decided already, so a failure is this claim's only.
   */
  private Outcome<Ok> alone(Claim claim, InTransaction extra) {
    try {
      ProtocolException reason = attempt(List.of(claim), extra).get(claim.core());
      return reason == null ? Outcome.done(Ok.OK) : Outcome.failed(reason);
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }

  /**
   * Tries to reserve all claims.
   *
   * @return the cores with a serial number that another core holds, with one of them each, or that
   *     {@code extra} refuses; if there are any, nothing was reserved
   */
  private Map<TxCore, ProtocolException> attempt(List<Claim> claims, InTransaction extra) {
    SortedMap<SerialNumber, Claim> wanted = new TreeMap<>();
    List<TxCore> cores = new ArrayList<>();
    for (Claim claim : claims) {
      cores.add(claim.core());
      claim.serials().forEach(serial -> wanted.put(serial, claim));
    }
    return transaction.execute(status -> {
      SerialStore.Held held = serials.hold(wanted);
      Map<TxCore, ProtocolException> rejected = new HashMap<>(held.rejected());
      if (rejected.isEmpty()) {
        rejected.putAll(extra.write(Set.copyOf(cores), held.fresh()));
      }
      if (!rejected.isEmpty()) {
        status.setRollbackOnly();
      }
      return rejected;
    });
  }
}
