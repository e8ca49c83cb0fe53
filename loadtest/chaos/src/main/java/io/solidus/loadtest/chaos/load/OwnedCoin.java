package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Signature;

/** A received coin with its signature. */
public record OwnedCoin(Coin coin, FieldElement message, Signature signature) {}
