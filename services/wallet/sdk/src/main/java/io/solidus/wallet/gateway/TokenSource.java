package io.solidus.wallet.gateway;

import io.solidus.wire.token.Token;
import java.util.Optional;

/** Where a client of the gateway gets the tokens that its requests spend. */
@FunctionalInterface
public interface TokenSource {
  /** For wallets that are not registered, and for tills. */
  TokenSource NONE = Optional::empty;

  /** A token for one request; empty when there is none that counts now. */
  Optional<Token> take();
}
