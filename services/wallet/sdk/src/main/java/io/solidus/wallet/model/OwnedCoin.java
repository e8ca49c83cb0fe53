package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Signature;

/** A received or minted coin with its signature, not yet claimed. */
public record OwnedCoin(Amount value, FieldElement rho, Signature signature) {}
