package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;

/**
 * A received or minted coin, for the history; in an unregulated network also change, with the
 * origin OWN.
 *
 * @param atMillis time of the payment or of the mint, in milliseconds since 1970
 * @param reference the payer's text, to be shown as text; empty for a mint
 */
public record ReceivedCoin(
    Origin origin, Amount value, FieldElement rho, long atMillis, String reference) {}
