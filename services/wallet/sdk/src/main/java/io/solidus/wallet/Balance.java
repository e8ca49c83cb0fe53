package io.solidus.wallet;

import io.solidus.protocol.Amount;

/**
 * What a wallet owns.
 *
 * @param held spendable
 * @param unclaimed received or minted and not yet claimed: outside the holding limit, and spendable
 *     by a transfer that claims it
 */
public record Balance(Amount held, Amount unclaimed, int unclaimedCoins) {
  public Amount total() {
    return held.plus(unclaimed);
  }
}
