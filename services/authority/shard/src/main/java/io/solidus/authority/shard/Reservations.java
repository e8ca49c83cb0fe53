package io.solidus.authority.shard;

import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Holds the serial numbers of whole batches of cores: one transaction, hence one flush of the log,
 * for all of them. A core holds all of what it wants here or nothing: when another batch was faster
 * with one of its serial numbers, the transaction is rolled back and done again without that core.
 */
@Spec("V-07")
class Reservations {

  /** Rounds that drop cores before the rest is tried one by one. */
  private static final int ROUNDS = 3;

  /** What else is written in the transaction of a reservation. */
  @FunctionalInterface
  interface Also {

    /**
     * @param cores what is held by now; @param fresh those of them of which something was not held
     *     before
     */
    void write(Set<TxCore> cores, Set<TxCore> fresh);
  }

  private final SerialStore serials;
  private final TransactionTemplate transaction;

  Reservations(SerialStore serials, TransactionTemplate transaction) {
    this.serials = serials;
    this.transaction = transaction;
  }

  /**
   * @param claims of distinct cores, no serial number twice
   * @return one outcome for each, in order: done and durable, or serial-conflict
   * @throws ProtocolException shard-moved, or what {@code also} throws: then nothing is reserved
   */
  List<Outcome<Done>> reserve(List<Claim> claims, Also also) {
    Map<TxCore, Outcome<Done>> outcomes = new HashMap<>();
    List<Claim> left = claims;
    for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
      Set<TxCore> refused = attempt(left, also);
      refused.forEach(core -> outcomes.put(core, Outcome.failed(conflict())));
      if (refused.isEmpty()) {
        left.forEach(claim -> outcomes.put(claim.core(), Outcome.done(Done.DONE)));
      }
      left = left.stream().filter(claim -> !outcomes.containsKey(claim.core())).toList();
    }
    left.forEach(claim -> outcomes.put(claim.core(), alone(claim, also)));
    return claims.stream().map(claim -> outcomes.get(claim.core())).toList();
  }

  static ProtocolException conflict() {
    return new ProtocolException(
        RejectionCode.SERIAL_CONFLICT, "a serial number is held by another core");
  }

  /** Some of the batch is decided already, so a failure is this claim's only. */
  private Outcome<Done> alone(Claim claim, Also also) {
    try {
      return attempt(List.of(claim), also).isEmpty()
          ? Outcome.done(Done.DONE)
          : Outcome.failed(conflict());
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }

  /**
   * @return the cores in whose way another one is; when there are any, nothing was reserved
   */
  private Set<TxCore> attempt(List<Claim> claims, Also also) {
    SortedMap<SerialNumber, TxCore> wanted = new TreeMap<>();
    List<TxCore> cores = new ArrayList<>();
    for (Claim claim : claims) {
      cores.add(claim.core());
      claim.serials().forEach(serial -> wanted.put(serial, claim.core()));
    }
    return transaction.execute(status -> {
      SerialStore.Held held = serials.hold(wanted);
      if (held.refused().isEmpty()) {
        also.write(Set.copyOf(cores), held.fresh());
      } else {
        status.setRollbackOnly();
      }
      return held.refused();
    });
  }
}
