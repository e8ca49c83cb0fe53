package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Signature;
import java.util.Collection;

/**
 * A coin with its signature: a received or minted one that is not yet claimed; in an unregulated
 * network any coin, with the origin PAYMENT.
 */
public record OwnedCoin(Origin origin, Amount value, FieldElement rho, Signature signature) {

  public static Amount total(Collection<OwnedCoin> coins) {
    return coins.stream().map(OwnedCoin::value).reduce(Amount.ZERO, Amount::plus);
  }
}
