package io.solidus.wallet.core;

import io.solidus.wallet.error.WalletException;

/** Where a host keeps the state of a core: sealed, and held by one process at a time (W-34). */
public interface StateStore {
  /**
   * The newest state, which the caller clears; empty before the wallet is made.
   *
   * @throws WalletException {@code store-corrupt}
   */
  byte[] read();

  /**
   * Puts a state in the place of the one before. When this returns, a loss of power does not bring
   * the old one back; before, it brings the old one or the new one.
   *
   * @throws WalletException {@code store-unwritable}; then no effect is performed
   */
  void write(byte[] state);
}
