package io.solidus.edge.gateway.load;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.limits.ClientNetwork;
import io.solidus.platform.limits.LruMap;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The pace of refusals for want of a place or rate. Those of one client network have a rate of
 * their own, so that a stranger with many connections waits for his own refusals, and nobody else
 * does.
 */
final class Refusals {
  /**
   * Refusals that wait at a time: as many as a server has connections by default, so that no client
   * has one to spare that is refused at once.
   */
  private static final int MAX_WAITING = 2_000;

  private static final int NETWORKS = 10_000;

  private final int perNetwork;
  private final Supplier<String> client;
  private final BooleanSupplier waited;
  private final Turns all;
  private final LruMap<String, Turns> networks = new LruMap<>(NETWORKS);

  /**
   * @param client the address of the client whose request this thread processes
   * @param waited whether this request has waited for a turn of its network already
   */
  Refusals(
      GatewayProperties.MaxPerSecond perSecond, Supplier<String> client, BooleanSupplier waited) {
    this.perNetwork = perSecond.refusalsOfOneNetwork();
    this.client = client;
    this.waited = waited;
    this.all = new Turns(perSecond.refusals(), MAX_WAITING);
  }

  /** Waits for the turn of a refusal. */
  void await() {
    if (!waited.getAsBoolean()) {
      turns(ClientNetwork.of(client.get())).await();
    }
    all.await();
  }

  /**
   * Waits for a turn of the client's network while its refusals take them, so that what is going to
   * be refused costs nothing before.
   *
   * @return whether it waited
   */
  boolean awaitBefore(String address) {
    Optional<Turns> turns = known(ClientNetwork.of(address)).filter(Turns::areTaken);
    turns.ifPresent(Turns::await);
    return turns.isPresent();
  }

  private synchronized Optional<Turns> known(String network) {
    return networks.find(network);
  }

  private synchronized Turns turns(String network) {
    return networks
        .find(network)
        .orElseGet(() -> {
          Turns made = new Turns(perNetwork, MAX_WAITING);
          networks.remember(network, made);
          return made;
        });
  }
}
