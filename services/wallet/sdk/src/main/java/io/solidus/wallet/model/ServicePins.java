package io.solidus.wallet.model;

import io.solidus.protocol.EncryptionKey;
import java.net.URI;

/**
 * The services that get what a gateway must not see: who registers, a funding's token, where money
 * is paid out. Taken down when the wallet is made; what a gateway names later changes nothing.
 *
 * @param redemptionKey X25519 key of the issuer's payout desk: payout instructions are sealed to it
 */
public record ServicePins(
    URI registration, URI sanctions, URI issuance, EncryptionKey redemptionKey) {}
