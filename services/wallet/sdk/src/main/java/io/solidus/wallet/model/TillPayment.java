package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;

/**
 * A payment that a till saw.
 *
 * @param rho of the coin, by which it counts once
 * @param seenMillis when the till saw it, in milliseconds since 1970, by the till's clock
 * @param reference the payer's text, to be shown as text
 */
public record TillPayment(Amount value, FieldElement rho, long seenMillis, String reference) {}
