package io.solidus.wallet;

import io.solidus.protocol.Amount;

/**
 * The money of a wallet.
 *
 * @param held the balance in the compliance coin, spendable; zero in an unregulated network
 * @param unclaimed the sum of received and minted coins that no transfer has claimed yet: outside
 *     the holding limit, and spendable by a transfer that claims them; in an unregulated network
 *     all coins, spendable as they are
 * @param unclaimedCoins the number of unclaimed coins
 */
public record Balance(Amount held, Amount unclaimed, int unclaimedCoins) {
  public Amount total() {
    return held.plus(unclaimed);
  }
}
