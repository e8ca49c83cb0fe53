package io.solidus.wallet.model;

import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import java.net.URI;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The network of a wallet and the pins that it was made with. The wallet verifies everything else
 * that it learns against them.
 *
 * @param currency ISO 4217 code for showing amounts
 * @param manifestKey Ed25519 public key of 32 bytes that signs the network's key manifest
 * @param keyClasses the accepted classes of keys
 * @param gateway base URL of the gateway
 * @param services the services that receive the wallet's secrets, whatever the gateway names
 * @param keysDir folder with the network's keys
 * @param proverKey X25519 key of the prover that may see this wallet's witnesses; null when the
 *     wallet makes its proofs itself
 */
public record WalletProfile(
    NetworkId network,
    NetworkKind kind,
    CurrencyCode currency,
    byte[] manifestKey,
    Set<KeyClass> keyClasses,
    URI gateway,
    ServicePins services,
    String keysDir,
    @Nullable EncryptionKey proverKey) {
  public WalletProfile {
    if (manifestKey.length != 32) {
      throw new IllegalArgumentException("a public key has 32 bytes");
    }
    manifestKey = manifestKey.clone();
    keyClasses = Set.copyOf(keyClasses);
  }

  @Override
  public byte[] manifestKey() {
    return manifestKey.clone();
  }

  public WalletProfile withGateway(URI other) {
    return new WalletProfile(
        network, kind, currency, manifestKey, keyClasses, other, services, keysDir, proverKey);
  }

  public WalletProfile withServices(CurrencyCode code, URI entry, ServicePins pins) {
    return new WalletProfile(
        network, kind, code, manifestKey, keyClasses, entry, pins, keysDir, proverKey);
  }

  /** The same profile with the network's keys in another folder. */
  public WalletProfile withKeysDir(String other) {
    return new WalletProfile(
        network, kind, currency, manifestKey, keyClasses, gateway, services, other, proverKey);
  }

  /**
   * Whether the wallet accepts keys that are not a real network's. Only then it may have services
   * that nobody signed, and speak plain HTTP to services on this machine.
   */
  public boolean isDevelopment() {
    return !keyClasses.equals(Set.of(KeyClass.CEREMONY));
  }

  /** The same profile with another prover; null to make proofs in this process. */
  public WalletProfile withProverKey(@Nullable EncryptionKey other) {
    return new WalletProfile(
        network, kind, currency, manifestKey, keyClasses, gateway, services, keysDir, other);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof WalletProfile other
        && network.equals(other.network)
        && kind == other.kind
        && currency.equals(other.currency)
        && Arrays.equals(manifestKey, other.manifestKey)
        && keyClasses.equals(other.keyClasses)
        && gateway.equals(other.gateway)
        && services.equals(other.services)
        && keysDir.equals(other.keysDir)
        && Objects.equals(proverKey, other.proverKey);
  }

  @Override
  public int hashCode() {
    return network.hashCode();
  }
}
