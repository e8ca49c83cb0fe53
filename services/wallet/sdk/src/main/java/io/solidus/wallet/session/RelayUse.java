package io.solidus.wallet.session;

import io.solidus.protocol.Relay;
import org.jspecify.annotations.Nullable;

/**
 * Whether a wallet's requests go through a relay, so that the gateway does not see its network
 * address.
 *
 * @param off whether they go to the gateway directly, whatever the network's services name
 * @param unsigned the relay of a development network without signed services; null for none
 */
public record RelayUse(boolean off, @Nullable Relay unsigned) {
  /** Through the relay that the network's signed services name, if they name one. */
  public static final RelayUse SIGNED = new RelayUse(false, null);

  /** Directly, which shows the wallet's network address to the gateway. */
  public static final RelayUse NONE = new RelayUse(true, null);

  /** Through this relay in a development network without signed services. */
  public static RelayUse unsigned(Relay relay) {
    return new RelayUse(false, relay);
  }
}
