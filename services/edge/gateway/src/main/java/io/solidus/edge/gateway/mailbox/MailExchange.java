package io.solidus.edge.gateway.mailbox;

import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.mailbox.PulledPage.Place;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.grpc.Rejections;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wire.v1.MailExchangeServiceGrpc;
import io.solidus.wire.v1.PullReply;
import io.solidus.wire.v1.PullRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Pulls the messages that were posted at other gateways of the network into this mailbox, from each
 * peer in a thread of its own. A message gets the next number of this mailbox, so a wallet's place
 * stays one number.
 *
 * <p>A peer can send junk as anybody can, and no more of it than {@code maxPerSecond}. It cannot
 * remove, hide or move what another gateway sends.
 */
@Component
@Spec("F-74")
class MailExchange implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(MailExchange.class);
  private static final long SECONDS = 10;
  private static final Duration BETWEEN_PAGES = Duration.ofMillis(50);
  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(1);
  private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(1);

  /** A peer whose mailbox lacked our place is believed again when it had it for so long. */
  private static final Duration PROBATION = Duration.ofMinutes(10);

  private final ExchangeStore store;
  private final GrpcChannels channels;
  private final ExchangeProperties properties;
  private final Clock clock;
  private final List<Peer> peers;
  private final List<RepeatedJob> jobs;

  MailExchange(
      ExchangeStore store,
      GrpcChannels channels,
      ExchangeProperties properties,
      Clock clock,
      MeterRegistry metrics) {
    this.store = store;
    this.channels = channels;
    this.properties = properties;
    this.clock = clock;
    this.peers = properties.peers().stream().map(peer -> new Peer(peer, metrics)).toList();
    this.jobs =
        peers.stream()
            .map(peer ->
                RepeatedJob.selfPaced(
                    "mailbox-exchange-" + peer.name,
                    () -> step(peer),
                    FIRST_BACK_OFF,
                    LONGEST_BACK_OFF))
            .toList();
  }

  /** A peer and what is measured of it. */
  private final class Peer {
    private final String name;
    private final String address;
    private final Counter stored;
    private final Counter known;
    private final Counter refused;
    private final Counter restarts;
    private volatile Instant caughtUp = clock.instant();

    /** When the next page may be pulled. */
    private volatile Instant due = Instant.EPOCH;

    /** Of the thread that pulls: how often our place was missing of late, and when last. */
    private int missing;

    private Instant missedAt = Instant.EPOCH;

    /**
     * Whether no page was stored since our place was missing: an old backup lacks those of many
     * days.
     */
    private boolean goingBack;

    Peer(ExchangeProperties.Peer peer, MeterRegistry metrics) {
      this.name = peer.name();
      this.address = peer.address();
      this.stored = messages(metrics, "stored");
      this.known = messages(metrics, "known");
      this.refused =
          Counter.builder("solidus.gateway.exchange.refused")
              .description("pages of a peer that no honest gateway sends")
              .tag("peer", name)
              .register(metrics);
      this.restarts =
          Counter.builder("solidus.gateway.exchange.restarts")
              .description("places that a peer's mailbox had lost")
              .tag("peer", name)
              .register(metrics);
      Gauge.builder("solidus.gateway.exchange.age", this, Peer::age)
          .description("time since a peer had nothing new")
          .baseUnit("seconds")
          .tag("peer", name)
          .register(metrics);
    }

    private Counter messages(MeterRegistry metrics, String outcome) {
      return Counter.builder("solidus.gateway.exchange.messages")
          .description("messages of a peer")
          .tag("peer", name)
          .tag("outcome", outcome)
          .register(metrics);
    }

    /** Notes that our place is missing once more; returns how often it was of late. */
    private int miss() {
      Instant now = clock.instant();
      missing = now.isAfter(missedAt.plus(PROBATION)) ? 1 : missing + 1;
      missedAt = now;
      return missing;
    }

    private double age() {
      return Math.max(0, Duration.between(caughtUp, clock.instant()).toMillis() / 1000.0);
    }
  }

  /** Pulls one page, unless another process does; returns the pause before the next one. */
  private Duration step(Peer peer) {
    boolean mine = store.hold(peer.name, Duration.ZERO);
    store.caughtUp(peer.name).ifPresent(at -> peer.caughtUp = at);
    if (!mine) {
      return properties.interval();
    }
    Duration pause = pullPage(peer);
    peer.due = clock.instant().plus(pause);
    boolean unused = store.hold(peer.name, pause);
    return pause;
  }

  private Duration pullPage(Peer peer) {
    Optional<Place> place = store.place(peer.name);
    PulledPage page = pull(peer, place.map(Place::number).orElse(0L));
    if (place.isPresent() && !page.at().equals(place.map(Place::digest))) {
      // another mailbox, one from a backup, or one that has expired up to here
      if (peer.goingBack) {
        store.goBack(peer.name, place.get());
        return BETWEEN_PAGES;
      }
      peer.goingBack = true;
      int times = peer.miss();
      if (times == 1) {
        log.warn("the mailbox of the peer {} lacks the message at our place", peer.name);
      }
      peer.restarts.increment();
      store.goBack(peer.name, place.get());
      return backOff(times);
    }
    if (page.next().isEmpty()) {
      store.reachedEnd(peer.name);
      return properties.interval();
    }
    int fresh = store.store(peer.name, place, page).orElse(0);
    peer.goingBack = false;
    peer.stored.increment(fresh);
    peer.known.increment(page.messages().size() - (double) fresh);
    return pause(fresh, page.messages().size() - fresh);
  }

  /**
   * A message that this mailbox has already costs a tenth: a peer is read again after a restore.
   */
  private Duration pause(int fresh, int known) {
    Duration pause = Duration.ofMillis((fresh * 1000L + known * 100L) / properties.maxPerSecond());
    return pause.compareTo(BETWEEN_PAGES) > 0 ? pause : BETWEEN_PAGES;
  }

  /** The first time is a peer's backup; a peer that lies would be asked without rest. */
  private static Duration backOff(int times) {
    if (times == 1) {
      return BETWEEN_PAGES;
    }
    Duration pause = FIRST_BACK_OFF.multipliedBy(1L << Math.min(times - 2, 6));
    return pause.compareTo(LONGEST_BACK_OFF) < 0 ? pause : LONGEST_BACK_OFF;
  }

  private PulledPage pull(Peer peer, long after) {
    PullReply reply;
    try {
      reply =
          MailExchangeServiceGrpc.newBlockingStub(channels.to(peer.address))
              .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
              .pull(PullRequest.newBuilder().setAfter(after).setLimit(PulledPage.LIMIT).build());
    } catch (StatusRuntimeException e) {
      throw Rejections.toException(e);
    }
    try {
      return PulledPage.of(reply, after);
    } catch (ProtocolException e) {
      peer.refused.increment();
      throw e;
    }
  }

  @Override
  public void start() {
    jobs.forEach(RepeatedJob::start);
  }

  @Override
  public void stop() {
    RepeatedJob.stopAll(jobs);
    try {
      peers.forEach(peer -> store.release(peer.name, rest(peer)));
    } catch (DataAccessException e) {
      log.warn("another process pulls later: {}", e.getClass().getSimpleName());
    }
  }

  private Duration rest(Peer peer) {
    Duration rest = Duration.between(clock.instant(), peer.due);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  @Override
  public boolean isRunning() {
    return jobs.stream().anyMatch(RepeatedJob::isRunning);
  }
}
