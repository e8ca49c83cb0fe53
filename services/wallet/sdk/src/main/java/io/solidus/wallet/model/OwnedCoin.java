package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Signature;
import java.util.Collection;

/** A received or minted coin with its signature, not yet claimed. */
public record OwnedCoin(Origin origin, Amount value, FieldElement rho, Signature signature) {

  public static Amount total(Collection<OwnedCoin> coins) {
    return coins.stream().map(OwnedCoin::value).reduce(Amount.ZERO, Amount::plus);
  }
}
