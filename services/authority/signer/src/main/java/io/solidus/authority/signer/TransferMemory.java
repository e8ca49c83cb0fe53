package io.solidus.authority.signer;

import io.solidus.authority.signer.Signing.Order;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import java.util.Optional;

/**
 * What this process knows of transfers from its own work, bounded; a restart forgets it all and
 * nothing but time is lost.
 */
final class TransferMemory {

  private final VerdictCache accepted;
  private final Refusals refused;
  private final Recent<TxCore, Order> orders;

  /**
   * @param accepted shared with mints
   */
  TransferMemory(VerdictCache accepted, int capacity) {
    this.accepted = accepted;
    this.refused = new Refusals(capacity);
    this.orders = new Recent<>(capacity);
  }

  /** Whether exactly this evidence was verified. */
  boolean accepted(VerdictCache.Key key) {
    return accepted.holds(key);
  }

  /** Why exactly this evidence was refused. */
  Optional<NativeErrorCode> refused(VerdictCache.Key key) {
    return refused.of(key);
  }

  /** Whether the core came with evidence that failed and has not been good since. */
  boolean suspicious(TxCore core) {
    return refused.holds(core);
  }

  void learn(VerdictCache.Key key, NativeErrorCode code) {
    if (code == NativeErrorCode.OK) {
      accepted.remember(key);
    }
    refused.learn(key, code);
  }

  /** Admitted and verified: may be signed by its core alone, once it is reserved. */
  void keep(Order order) {
    orders.remember(order.core(), order);
  }

  Optional<Order> order(TxCore core) {
    return orders.find(core);
  }

  int orders() {
    return orders.size();
  }

  int refusals() {
    return refused.size();
  }
}
