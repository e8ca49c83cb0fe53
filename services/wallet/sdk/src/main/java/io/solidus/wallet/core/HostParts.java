package io.solidus.wallet.core;

import java.util.function.Consumer;

/**
 * What differs between hosts.
 *
 * @param pages of history; {@link HistoryPages#NONE} keeps all of it in the state
 * @param news for the page; it is called in the thread of the command
 */
public record HostParts(
    StateStore store,
    HistoryPages pages,
    Exchanges exchanges,
    ProofMaker proofs,
    HostClock clock,
    Consumer<CoreNews> news) {
  /** With the machine's clock, and nobody to tell. */
  public HostParts(StateStore store, HistoryPages pages, Exchanges exchanges, ProofMaker proofs) {
    this(store, pages, exchanges, proofs, HostClock.system(), told -> {});
  }
}
