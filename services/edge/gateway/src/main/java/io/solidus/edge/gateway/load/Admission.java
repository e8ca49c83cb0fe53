package io.solidus.edge.gateway.load;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.limits.Bulkhead;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Limits the requests of wallets that are processed at the same time, for each class of requests
 * apart. Anybody can send requests, so a flood of one class must leave the places of the others
 * free.
 */
public final class Admission {
  /** Requests that share their places. */
  public enum RequestClass {
    /** Transfers, mints and signatures on registrations. */
    PAYMENT,
    /** States of coins, and the signatures on a submitted transfer. */
    LOOK_UP,
    /** Delegated proofs, which take seconds each. */
    PROOF,
    /** Messages for the mailbox. */
    POST,
    /** Pages of the mailbox. */
    READ,
    /** Sanction lists that the gateway has to fetch first. */
    LIST
  }

  private final Map<RequestClass, Bulkhead> places = new EnumMap<>(RequestClass.class);

  public Admission(GatewayProperties.MaxConcurrent limits) {
    for (RequestClass kind : RequestClass.values()) {
      places.put(kind, new Bulkhead(limit(limits, kind), "the gateway is busy; try again shortly"));
    }
  }

  /**
   * Runs the work.
   *
   * @throws io.solidus.protocol.ProtocolException overloaded while all places of the class are
   *     taken, or what the work throws
   */
  public <A> A run(RequestClass kind, Supplier<A> work) {
    return Objects.requireNonNull(places.get(kind)).run(work);
  }

  private static int limit(GatewayProperties.MaxConcurrent limits, RequestClass kind) {
    return switch (kind) {
      case PAYMENT -> limits.payments();
      case LOOK_UP -> limits.lookUps();
      case PROOF -> limits.proofs();
      case POST -> limits.posts();
      case READ -> limits.reads();
      case LIST -> limits.lists();
    };
  }
}
