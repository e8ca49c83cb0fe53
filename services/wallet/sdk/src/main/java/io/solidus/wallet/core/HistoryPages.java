package io.solidus.wallet.core;

import io.solidus.wallet.error.WalletException;

/**
 * Where a host keeps the pages of history that leave the state (W-60). The core has sealed them.
 * One that gets lost costs its part of the history, and no money.
 */
public interface HistoryPages {
  /** Keeps nothing: then all history stays in the state, which has a bound. */
  HistoryPages NONE =
      new HistoryPages() {
        @Override
        public byte[] read(int number) {
          return new byte[0];
        }

        @Override
        public boolean write(int number, byte[] page) {
          return false;
        }
      };

  /**
   * A page as it was given.
   *
   * @param number from 0
   * @return empty when it is lost
   */
  byte[] read(int number);

  /**
   * Puts a page in the place of the one with its number, if there is one. When this returns true, a
   * loss of power does not take the page away.
   *
   * @return false where pages are not kept; the core then keeps the transfers, and asks again later
   * @throws WalletException {@code store-unwritable}, which counts as false
   */
  boolean write(int number, byte[] page);
}
