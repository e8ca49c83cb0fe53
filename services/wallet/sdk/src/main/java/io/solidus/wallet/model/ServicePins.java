package io.solidus.wallet.model;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import java.net.URI;
import java.util.Set;

/**
 * The pinned services, which receive data that a gateway must not see: the person who registers, a
 * funding's token, the payout's bank account. They are pinned when the wallet is made. A gateway
 * cannot change them later.
 *
 * @param registration base URL of the registration service
 * @param sanctions base URL of the sanctions service
 * @param issuance base URL of the issuance service
 * @param redemptionKey the issuer's X25519 key; payout instructions are sealed to it
 * @param tlsKeys SHA-256 of the public keys of the certificates of these services and of the
 *     gateway; empty only in a development network
 */
public record ServicePins(
    URI registration,
    URI sanctions,
    URI issuance,
    EncryptionKey redemptionKey,
    Set<Digest32> tlsKeys) {
  public ServicePins {
    tlsKeys = Set.copyOf(tlsKeys);
  }

  /** The services of a development network. */
  public ServicePins(URI registration, URI sanctions, URI issuance, EncryptionKey redemptionKey) {
    this(registration, sanctions, issuance, redemptionKey, Set.of());
  }
}
