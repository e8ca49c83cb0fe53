package io.solidus.wallet.model;

import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which network a wallet belongs to and what it pinned when it was made: the key that signs the key
 * manifest (Ed25519, 32 bytes), the classes of keys it accepts, and the services that get its
 * secrets. Everything else it is told is checked against these.
 *
 * @param currency how amounts are shown
 * @param gateway base URL of the gateway
 * @param services used whatever the gateway names
 * @param keysDir folder with the network's keys
 * @param proverKey X25519 key of the prover that may see this wallet's witnesses, or null when
 *     proofs are made here
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
    byte @Nullable [] proverKey) {
  public WalletProfile {
    if (manifestKey.length != 32 || (proverKey != null && proverKey.length != 32)) {
      throw new IllegalArgumentException("a public key has 32 bytes");
    }
    manifestKey = manifestKey.clone();
    keyClasses = Set.copyOf(keyClasses);
    proverKey = proverKey == null ? null : proverKey.clone();
  }

  @Override
  public byte[] manifestKey() {
    return manifestKey.clone();
  }

  @Override
  public byte @Nullable [] proverKey() {
    return proverKey == null ? null : proverKey.clone();
  }

  public WalletProfile withGateway(URI other) {
    return new WalletProfile(
        network, kind, currency, manifestKey, keyClasses, other, services, keysDir, proverKey);
  }

  public WalletProfile withKeysDir(String other) {
    return new WalletProfile(
        network, kind, currency, manifestKey, keyClasses, gateway, services, other, proverKey);
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
        && Arrays.equals(proverKey, other.proverKey);
  }

  @Override
  public int hashCode() {
    return network.hashCode();
  }
}
