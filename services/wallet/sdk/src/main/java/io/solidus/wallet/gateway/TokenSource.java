package io.solidus.wallet.gateway;

import io.solidus.wire.token.Token;
import java.util.Optional;

/** Where a client of the gateway gets the tokens that its requests spend. */
public interface TokenSource {
  /** For wallets that are not registered, and for tills. */
  TokenSource NONE =
      new TokenSource() {
        @Override
        public Optional<Token> take() {
          return Optional.empty();
        }

        @Override
        public void giveBack(Token token) {}
      };

  /** A token for one request; empty when there is none that counts now. */
  Optional<Token> take();

  /** Takes back the token of a request that got no answer. It may be spent all the same. */
  void giveBack(Token token);
}
