package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import java.util.function.Consumer;

/** An authority as wallets and gateways see it. */
interface Peer {

  /**
   * @param shard the shard that owns the lead serial number in the gateway's map
   */
  void submit(Request request, int shard, Consumer<Outcome<Partial>> reply);
}
