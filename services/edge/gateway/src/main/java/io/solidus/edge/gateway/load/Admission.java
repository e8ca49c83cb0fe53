package io.solidus.edge.gateway.load;

import com.google.common.util.concurrent.RateLimiter;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.limits.Bulkhead;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Limits the requests of wallets that are processed at the same time, for each class of requests
 * apart. Anybody can send requests, so a flood of one class must leave the places of the others
 * free. Classes that cost every authority or every wallet something, and their sender nothing, have
 * a rate too: a place that is free again at once bounds no work.
 *
 * <p>What anybody can send for nothing gives way to payments ({@link Precedence}).
 *
 * <p>A refusal is work, too, and who asks again at once gets many. So all refusals together have a
 * rate, and those of one client network a lower one; each waits for its turn ({@link Refusals}).
 * Strangers of a network whose refusals wait are asked to wait before anything of their request is
 * read.
 */
public final class Admission {
  /** Attribute of a request that has waited for a turn of its network. */
  public static final String HAS_WAITED = Admission.class.getName() + ".hasWaited";

  /** Requests that share their places. */
  public enum RequestClass {
    /** Transfers. */
    PAYMENT,
    /** Transfers of client networks that recently sent invalid evidence. */
    DOUBTFUL_PAYMENT,
    /** Signatures on mints. */
    MINT,
    /** Signatures on registrations. */
    REGISTRATION,
    /** States of coins, and the signatures on a submitted transfer. */
    LOOK_UP,
    /** Delegated proofs, which take seconds each. */
    PROOF,
    /** Recovers, each of which takes as much work as 17 transfers. */
    RECOVER,
    /** Messages for the mailbox. */
    POST,
    /** Pages of the mailbox. */
    READ,
    /** Private queries of the mailbox, which wait for authorities. */
    QUERY,
    /** Sanction lists that the gateway has to fetch first. */
    LIST,
    /** Posts, delegated proofs and look-ups of whoever shows no token, where tokens are on. */
    STRANGER
  }

  private static final String BUSY = "the gateway is busy; try again shortly";

  private final Map<RequestClass, Bulkhead> places = new EnumMap<>(RequestClass.class);

  /**
   * Places a second. A burst may take those of one second, and a heavy request is paid for later.
   */
  private final Map<RequestClass, RateLimiter> rates = new EnumMap<>(RequestClass.class);

  /** Of authorities' replicas, by authority. */
  private final Map<Integer, ReplicaPlaces> replicas = new ConcurrentHashMap<>();

  private final ReplicaPlaces allReplicas;
  private final int replicaReads;
  private final int replicaReadsPerSecond;
  private final Precedence precedence;
  private final Refusals refusals;

  Admission(
      GatewayProperties.MaxConcurrent limits,
      GatewayProperties.MaxPerSecond perSecond,
      GatewayProperties.Tokens tokens,
      Precedence precedence,
      Refusals refusals) {
    this.replicaReads = limits.replicaReads();
    this.replicaReadsPerSecond = perSecond.replicaReads();
    this.allReplicas =
        new ReplicaPlaces(
            limits.allReplicaReads(),
            perSecond.allReplicaReads(),
            ReplicaPlaces.ALL_SAVED,
            System::nanoTime);
    this.precedence = precedence;
    this.refusals = refusals;
    for (RequestClass kind : RequestClass.values()) {
      places.put(kind, new Bulkhead(limit(limits, tokens, kind), BUSY));
    }
    rates.put(RequestClass.DOUBTFUL_PAYMENT, RateLimiter.create(perSecond.doubtfulPayments()));
    rates.put(RequestClass.LOOK_UP, RateLimiter.create(perSecond.lookUps()));
    rates.put(RequestClass.QUERY, RateLimiter.create(perSecond.lookUps()));
    rates.put(RequestClass.RECOVER, RateLimiter.create(perSecond.recovers()));
    rates.put(RequestClass.POST, RateLimiter.create(perSecond.posts()));
    rates.put(RequestClass.STRANGER, RateLimiter.create(tokens.strangersPerSecond()));
  }

  /**
   * Runs the work.
   *
   * @throws ProtocolException overloaded while all places of the class are taken or its rate is
   *     used up, or what the work throws
   */
  public <A> A run(RequestClass kind, Supplier<A> work) {
    return run(kind, 1, work);
  }

  /**
   * As {@link #run(RequestClass, Supplier)}.
   *
   * @param weight how many places the work takes
   */
  public <A> A run(RequestClass kind, int weight, Supplier<A> work) {
    AtomicBoolean admitted = new AtomicBoolean();
    try {
      return Objects.requireNonNull(places.get(kind))
          .run(
              weight,
              () -> {
                RateLimiter rate = rates.get(kind);
                if (rate != null && !rate.tryAcquire(weight)) {
                  throw new ProtocolException(RejectionCode.OVERLOADED, BUSY);
                }
                if (!precedence.mayBegin(kind, weight)) {
                  throw new ProtocolException(RejectionCode.OVERLOADED, BUSY);
                }
                admitted.set(true);
                return costsItsSenderNothing(kind) ? work.get() : precedence.payment(work);
              });
    } catch (ProtocolException refusal) {
      // no place is held any more; what the work itself refuses is not delayed
      if (!admitted.get() && costsItsSenderNothing(kind)) {
        refusals.await();
      }
      throw refusal;
    }
  }

  /**
   * Has a stranger's request wait for a turn of its network while refusals of that network take
   * them: what is going to be refused is not read before.
   *
   * @param address of the client
   * @return whether it waited; its refusal then waits for no other turn of the network
   */
  public boolean awaitBefore(String address) {
    return refusals.awaitBefore(address);
  }

  /**
   * Runs a reading of an authority's replica, which has shown that it is one. Each authority has
   * places and a rate of its own, so that neither strangers nor f dishonest authorities take those
   * of another; all together have both as well, because none of them gives way to payments. What
   * goes beyond them is a reading as anybody's.
   *
   * @param authority 1 to N
   * @throws ProtocolException as {@link #run(RequestClass, Supplier)}
   */
  public <A> A runForReplica(int authority, Supplier<A> work) {
    ReplicaPlaces own =
        replicas.computeIfAbsent(
            authority,
            any ->
                new ReplicaPlaces(
                    replicaReads,
                    replicaReadsPerSecond,
                    ReplicaPlaces.OWN_SAVED,
                    System::nanoTime));
    if (own.tryEnter()) {
      try {
        if (allReplicas.tryEnter()) {
          try {
            return work.get();
          } finally {
            allReplicas.leave();
          }
        }
      } finally {
        own.leave();
      }
    }
    return run(RequestClass.READ, work);
  }

  /**
   * Classes that a stranger fills for nothing. With tokens on, posts, proofs, look-ups and queries
   * have shown one; recovers have a low rate as it is.
   */
  static Set<RequestClass> free(GatewayProperties.Tokens tokens) {
    Set<RequestClass> free =
        EnumSet.of(
            RequestClass.DOUBTFUL_PAYMENT,
            RequestClass.READ,
            RequestClass.LIST,
            RequestClass.STRANGER);
    if (!tokens.isOn()) {
      free.addAll(
          EnumSet.of(
              RequestClass.POST, RequestClass.PROOF, RequestClass.LOOK_UP, RequestClass.QUERY));
    }
    return free;
  }

  /** Whether its sender needs neither a coin nor an attestation. */
  private static boolean costsItsSenderNothing(RequestClass kind) {
    return switch (kind) {
      case PAYMENT, MINT, REGISTRATION -> false;
      case DOUBTFUL_PAYMENT, LOOK_UP, PROOF, RECOVER, POST, READ, QUERY, LIST, STRANGER -> true;
    };
  }

  private static int limit(
      GatewayProperties.MaxConcurrent limits, GatewayProperties.Tokens tokens, RequestClass kind) {
    return switch (kind) {
      case PAYMENT -> limits.payments();
      case DOUBTFUL_PAYMENT -> limits.doubtfulPayments();
      case MINT -> limits.mints();
      case REGISTRATION -> limits.registrations();
      case LOOK_UP -> limits.lookUps();
      case PROOF -> limits.proofs();
      case RECOVER -> limits.recovers();
      case POST -> limits.posts();
      case READ, QUERY -> limits.reads();
      case LIST -> limits.lists();
      case STRANGER -> tokens.strangers();
    };
  }
}
