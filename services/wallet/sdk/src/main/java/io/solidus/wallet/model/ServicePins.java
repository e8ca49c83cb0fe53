package io.solidus.wallet.model;

import io.solidus.protocol.EncryptionKey;
import java.net.URI;

/**
 * The pinned services, which receive data that a gateway must not see: the person who registers, a
 * funding's token, the payout's bank account. They are pinned when the wallet is made. A gateway
 * cannot change them later.
 *
 * @param registration base URL of the registration service
 * @param sanctions base URL of the sanctions service
 * @param issuance base URL of the issuance service
 * @param redemptionKey the issuer's X25519 key; payout instructions are sealed to it
 */
public record ServicePins(
    URI registration, URI sanctions, URI issuance, EncryptionKey redemptionKey) {}
