package io.solidus.authority.replica;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.limits.Bulkhead;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a gateway's tables, countersigns each list once, and answers queries.
 *
 * <p>Where it takes on several lists at once, because reading takes longer than the gateway's
 * interval, it signs each at which a table closed, and keeps the signatures of an hour. Otherwise
 * each authority would sign other lists, and none would have 2f+1 signatures.
 *
 * <p>Nothing of it is stored. A process therefore signs no list that closed before it began: its
 * predecessor may have signed another one of that time. Nor does it sign the first list that it
 * sees, because it cannot tell whether that continues the one before.
 */
final class Replica {
  /** How far a list may be ahead of this machine's clock. */
  private static final Duration AHEAD = Duration.ofMinutes(1);

  /** For so long gateways and wallets use a list. */
  private static final Duration SIGNED_KEPT = Duration.ofHours(1);

  private static final Logger log = LoggerFactory.getLogger(Replica.class);

  static final String BUSY = "the replica is busy; try again shortly";

  private final NetworkId network;
  private final int authority;
  private final ReplicaKeys keys;
  private final TablePages pages;
  private final TableCopies copies;
  private final Clock clock;
  private final Instant begun;
  private final Bulkhead waiting;
  private final AnswerQueue answers;
  private final SecureRandom random = new SecureRandom();
  private final MeterRegistry metrics;

  /** By the times of the lists. */
  private final ConcurrentSkipListMap<Long, SignedNote> signed = new ConcurrentSkipListMap<>();

  Replica(
      ReplicaProperties properties,
      ReplicaKeys keys,
      TablePages pages,
      TableCopies copies,
      Clock clock,
      MeterRegistry metrics) {
    this.network = properties.network();
    this.authority = properties.authority();
    this.keys = keys;
    this.pages = pages;
    this.copies = copies;
    this.clock = clock;
    this.begun = clock.instant();
    this.waiting = new Bulkhead(properties.parallelism() + properties.queue(), BUSY);
    this.answers =
        new AnswerQueue(properties.parallelism(), properties.patience(), copies::answers);
    this.metrics = metrics;
    Gauge.builder("solidus.replica.tables.bytes", copies, TableCopies::bytes).register(metrics);
    Gauge.builder("solidus.replica.tables.reach.seconds", copies, TableCopies::reach)
        .description("how long before the newest list the tables begin that are here")
        .register(metrics);
    Gauge.builder("solidus.replica.list.age.seconds", this, Replica::age).register(metrics);
  }

  /**
   * Takes on the newest list, if it is later than the one that is here.
   *
   * @throws ProtocolException when the gateway does not serve it, or serves other tables
   */
  void follow() {
    try {
      if (takesOn()) {
        copies.repair(pages);
      }
    } catch (ProtocolException e) {
      refused(e);
      throw notTakenOn(e);
    } catch (RuntimeException e) {
      throw notTakenOn(e);
    }
  }

  /** Whoever repeats this logs no detail. */
  private static <E extends RuntimeException> E notTakenOn(E why) {
    log.warn("the newest list of mail tables is not taken on: {}", why.getMessage());
    return why;
  }

  private void refused(ProtocolException e) {
    if (e instanceof RefusedListException list) {
      refused(list.label());
    } else if (e.code() != RejectionCode.UNAVAILABLE) {
      refused("malformed");
    }
  }

  private void refused(String reason) {
    metrics.counter("solidus.replica.lists.refused", "reason", reason).increment();
  }

  private boolean takesOn() {
    Optional<String> text = pages.newest();
    if (text.isEmpty()) {
      return false;
    }
    MailTableList list = MailTableList.parse(network, text.get());
    Instant closed = Instant.ofEpochSecond(list.closed());
    if (list.closed() <= copies.closed()) {
      return false;
    }
    if (closed.isAfter(clock.instant().plus(AHEAD))) {
      throw new RefusedListException(
          RefusedListException.Reason.AHEAD, "a list of the mailbox's tables is of a later time");
    }
    boolean continues = copies.closed() > 0;
    List<MailTableList> lists = copies.follow(list, pages);
    if (continues) {
      lists.forEach(this::sign);
    }
    signed.headMap(list.closed() - SIGNED_KEPT.toSeconds()).clear();
    while (signed.size() > TableCopies.MOST_LISTS) {
      Map.Entry<Long, SignedNote> unused = signed.pollFirstEntry();
    }
    return true;
  }

  private void sign(MailTableList list) {
    Instant closed = Instant.ofEpochSecond(list.closed());
    if (closed.isAfter(begun)) {
      signed.put(list.closed(), SignedNote.sign(list.toNoteText(network), keys.lists()));
    }
  }

  /** The signed list of a time; empty unless it was signed within the last hour. */
  Optional<SignedNote> countersigned(long closed) {
    return Optional.ofNullable(signed.get(closed));
  }

  /**
   * The sealed answer to a sealed share.
   *
   * @throws ProtocolException malformed-request for what is not sealed to this replica; overloaded;
   *     unavailable for tables that are not here
   */
  byte[] answer(SealedMessage sealed) {
    try {
      byte[] answer = answered(sealed);
      count("ok");
      return answer;
    } catch (ProtocolException e) {
      count(e.code().code());
      throw e;
    }
  }

  private void count(String outcome) {
    metrics.counter("solidus.replica.queries", "outcome", outcome).increment();
  }

  private byte[] answered(SealedMessage sealed) {
    try (QueryEnvelope.Opened opened =
        QueryEnvelope.open(keys.shares(), network, authority, sealed)) {
      MailQuery query = MailQuery.decode(opened.query());
      return opened.sealAnswer(waiting.run(() -> answers.answer(query)), random);
    } catch (HpkeException e) {
      throw ProtocolException.malformed("the share is not sealed to this authority");
    }
  }

  /** The bytes of all tables that are here. */
  long bytes() {
    return copies.bytes();
  }

  /** Seconds since the newest list that is here closed. */
  private double age() {
    return clock.millis() / 1000.0 - copies.closed();
  }
}
