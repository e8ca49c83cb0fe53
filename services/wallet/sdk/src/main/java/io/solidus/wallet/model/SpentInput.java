package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;

/** A received coin that a transfer claimed; its owner is this wallet. */
public record SpentInput(Origin origin, Amount value, FieldElement rho) {}
