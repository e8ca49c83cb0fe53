package io.solidus.edge.gateway.mailbox;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Committee;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.AnswerRequest;
import io.solidus.wire.v1.CountersignRequest;
import io.solidus.wire.v1.ReplicaServiceGrpc;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The authorities' replicas: collects their signatures on lists of tables, verifies them, and
 * passes sealed shares on. A replica with another key than the network's services name would fill a
 * place among the 2f+1 of a list that wallets then refuse.
 */
@Component
class MailReplicas implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(MailReplicas.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final long SIGNATURE_SECONDS = 2;

  /** A replica that is slow to take a list on signs it when there is a newer one. */
  private static final int NEWEST_LISTS = 8;

  private static final long ANSWER_SECONDS = 20;

  private final MailTables tables;
  private final Committee committee;
  private final GrpcChannels channels;
  private final List<String> addresses;
  private final ReplicaSigners signers;
  private final RepeatedJob collecting;
  private final Clock clock;
  private final MeterRegistry metrics;

  /** The time of the newest list with enough signatures; before there is one, that of the start. */
  private final AtomicLong listed;

  /** The same for the newest list that each authority has signed. */
  private final List<AtomicLong> signed = new ArrayList<>();

  /** Authorities whose newest signature was wrong: each is logged once. */
  private final Set<Integer> wrong = ConcurrentHashMap.newKeySet();

  /** Authorities whose replica has another list of the same time: each is logged once. */
  private final Set<Integer> others = ConcurrentHashMap.newKeySet();

  MailReplicas(
      MailTables tables,
      Committee committee,
      GrpcChannels channels,
      MailTableProperties properties,
      ReplicaSigners signers,
      Clock clock,
      MeterRegistry metrics) {
    this.tables = tables;
    this.committee = committee;
    this.channels = channels;
    this.addresses = properties.replicas();
    this.signers = signers;
    if (!addresses.isEmpty() && addresses.size() != committee.n()) {
      throw new IllegalStateException(
          "solidus.gateway.mail-tables.replicas has no address for each authority");
    }
    this.collecting = new RepeatedJob("mailbox-countersignatures", PAUSE, this::collect);
    this.clock = clock;
    this.metrics = metrics;
    long begun = clock.instant().getEpochSecond();
    this.listed = new AtomicLong(begun);
    for (int authority = 1; authority <= addresses.size(); authority++) {
      AtomicLong newest = new AtomicLong(begun);
      signed.add(newest);
      Gauge.builder("solidus.gateway.mail.signature.age.seconds", newest, this::age)
          .description("time since the newest list that the authority's replica has signed closed")
          .tag("authority", Integer.toString(authority))
          .register(metrics);
    }
    if (isOn()) {
      Gauge.builder("solidus.gateway.mail.list.age.seconds", listed, this::age)
          .description("time since the newest list that enough replicas have signed closed")
          .register(metrics);
    }
  }

  private double age(AtomicLong closed) {
    return clock.millis() / 1000.0 - closed.get();
  }

  private void count(int authority, String reason) {
    metrics
        .counter(
            "solidus.gateway.mail.signatures.refused",
            "authority",
            Integer.toString(authority),
            "reason",
            reason)
        .increment();
  }

  /** Whether this network's authorities have replicas. */
  boolean isOn() {
    return !addresses.isEmpty();
  }

  /**
   * Asks replicas that have not signed the newest list, or one of the newest that wait for 2f+1
   * signatures, all at the same time.
   */
  void collect() {
    List<MailTables.Signable> newest = tables.signable(NEWEST_LISTS);
    if (newest.isEmpty()) {
      return;
    }
    long enough = tables.signedByEnough(committee.quorum()).orElse(0L);
    List<MailTables.Signable> waiting =
        newest.stream()
            .filter(list -> list.closed() > enough || list.equals(newest.getFirst()))
            .toList();
    collect(waiting);
    for (MailTables.Signable list : waiting.reversed()) {
      for (int authority : tables.signers(list.closed())) {
        signed.get(authority - 1).set(list.closed());
      }
    }
    tables.signedByEnough(committee.quorum()).ifPresent(listed::set);
  }

  private void collect(List<MailTables.Signable> lists) {
    List<Thread> calls = new ArrayList<>();
    for (int authority = 1; authority <= addresses.size(); authority++) {
      int each = authority;
      List<MailTables.Signable> its =
          lists.stream().filter(list -> !list.signers().contains(each)).toList();
      if (!its.isEmpty()) {
        calls.add(Thread.ofVirtual().start(() -> collect(its, each)));
      }
    }
    try {
      for (Thread call : calls) {
        call.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A replica that does not answer, or not rightly, is asked for no further list now. */
  private void collect(List<MailTables.Signable> lists, int authority) {
    try {
      for (MailTables.Signable list : lists) {
        String note =
            stub(authority)
                .withDeadlineAfter(SIGNATURE_SECONDS, TimeUnit.SECONDS)
                .countersign(CountersignRequest.newBuilder().setClosed(list.closed()).build())
                .getNote();
        if (!note.isEmpty() && !isTaken(list, authority, SignedNote.parse(note))) {
          return;
        }
      }
    } catch (StatusRuntimeException | ProtocolException e) {
      // asked again a second later
    }
  }

  private boolean isTaken(MailTables.Signable list, int authority, SignedNote answer) {
    if (!answer.text().equals(list.text()) || answer.signatures().size() != 1) {
      count(authority, "other-list");
      if (others.add(authority)) {
        log.warn(
            "the replica of authority {} signs another list than this gateway's: it follows"
                + " another mailbox",
            authority);
      }
      return false;
    }
    others.remove(authority);
    if (!answer.isSignedBy(signers.of(authority))) {
      count(authority, "wrong-key");
      if (wrong.add(authority)) {
        log.warn(
            "the replica of authority {} signs lists with another key than the network names",
            authority);
      }
      return false;
    }
    wrong.remove(authority);
    tables.addSignature(list.closed(), authority, answer);
    return true;
  }

  /**
   * The newest list that 2f+1 authorities have signed.
   *
   * @throws ProtocolException not-found while there is none
   */
  String countersigned() {
    return tables
        .countersigned(committee.quorum())
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NOT_FOUND, "no list of mail tables is signed by enough authorities"))
        .encode();
  }

  /**
   * One authority's answer to a share of a query.
   *
   * @throws ProtocolException not-found without replicas or for another authority; overloaded,
   *     unavailable or malformed-request as the replica answers
   */
  byte[] answer(int authority, AnswerRequest request) {
    if (authority < 1 || authority > addresses.size()) {
      throw new ProtocolException(
          RejectionCode.NOT_FOUND, "this gateway knows no replica of that authority");
    }
    try {
      return stub(authority)
          .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)
          .answer(request)
          .getSealedAnswer()
          .toByteArray();
    } catch (StatusRuntimeException e) {
      throw refusal(e.getStatus().getCode());
    }
  }

  private static ProtocolException refusal(Status.Code code) {
    return switch (code) {
      case INVALID_ARGUMENT -> ProtocolException.malformed("the replica cannot use this share");
      case RESOURCE_EXHAUSTED ->
          new ProtocolException(RejectionCode.OVERLOADED, "the replica is busy; try again shortly");
      default -> new ProtocolException(RejectionCode.UNAVAILABLE, "the replica does not answer");
    };
  }

  private ReplicaServiceGrpc.ReplicaServiceBlockingStub stub(int authority) {
    return ReplicaServiceGrpc.newBlockingStub(channels.to(addresses.get(authority - 1)));
  }

  @Override
  public void start() {
    if (isOn()) {
      collecting.start();
    }
  }

  @Override
  public void stop() {
    collecting.stop();
  }

  @Override
  public boolean isRunning() {
    return collecting.isRunning();
  }
}
