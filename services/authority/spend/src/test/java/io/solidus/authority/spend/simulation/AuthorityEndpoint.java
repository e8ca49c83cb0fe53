package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import java.util.function.Consumer;

/** An authority as wallets and gateways call it. */
interface AuthorityEndpoint {

  /**
   * Submits a request.
   *
   * @param shard the shard that owns the lead serial number in the map of the gateway
   */
  void submit(Request request, int shard, Consumer<Outcome<SimulatedPartial>> reply);
}
