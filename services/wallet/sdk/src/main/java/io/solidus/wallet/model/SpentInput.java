package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;

/** A received coin that a transfer claimed; its owner is this wallet. */
public record SpentInput(Amount value, FieldElement rho) {}
