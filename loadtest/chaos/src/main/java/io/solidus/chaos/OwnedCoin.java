package io.solidus.chaos;

import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Signature;

/** A received coin with the signature that makes it money. */
record OwnedCoin(Coin coin, FieldElement message, Signature signature) {}
