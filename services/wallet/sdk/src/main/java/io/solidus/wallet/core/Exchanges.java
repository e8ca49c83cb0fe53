package io.solidus.wallet.core;

import io.solidus.wallet.error.WalletException;

/** HTTP with the services of the network: addresses, pins, relay or Tor are its affair. */
public interface Exchanges {
  /**
   * Sends a request and reads the answer within the deadline.
   *
   * @return also a refusal of the service is an answer
   * @throws WalletException when no answer came
   */
  CoreExchange.Answer send(CoreExchange exchange);
}
