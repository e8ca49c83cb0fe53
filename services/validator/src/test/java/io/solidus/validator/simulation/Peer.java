package io.solidus.validator.simulation;

import io.solidus.validator.spend.Outcome;
import java.util.function.Consumer;

/** An authority as wallets and gateways see it. */
interface Peer {

  /** @param shard the shard that owns the lead serial number in the gateway's map */
  void submit(Request request, int shard, Consumer<Outcome<Partial>> reply);
}
