package io.solidus.edge.gateway.mailbox;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Committee;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.AnswerRequest;
import io.solidus.wire.v1.CountersignRequest;
import io.solidus.wire.v1.ReplicaServiceGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
  private static final long ANSWER_SECONDS = 20;

  private final MailTables tables;
  private final Committee committee;
  private final GrpcChannels channels;
  private final List<String> addresses;
  private final ReplicaSigners signers;
  private final RepeatedJob collecting;

  /** Authorities whose newest signature was wrong: each is logged once. */
  private final Set<Integer> wrong = ConcurrentHashMap.newKeySet();

  /** Authorities whose replica has another list of the same time: each is logged once. */
  private final Set<Integer> others = ConcurrentHashMap.newKeySet();

  MailReplicas(
      MailTables tables,
      Committee committee,
      GrpcChannels channels,
      MailTableProperties properties,
      ReplicaSigners signers) {
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
  }

  /** Whether this network's authorities have replicas. */
  boolean isOn() {
    return !addresses.isEmpty();
  }

  /** Asks replicas that have not signed the newest list, all at the same time. */
  void collect() {
    Optional<MailTables.Signable> list = tables.signable();
    if (list.isEmpty()) {
      return;
    }
    List<Thread> calls = new ArrayList<>();
    for (int authority = 1; authority <= addresses.size(); authority++) {
      if (!list.get().signers().contains(authority)) {
        int each = authority;
        calls.add(Thread.ofVirtual().start(() -> collect(list.get(), each)));
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

  private void collect(MailTables.Signable list, int authority) {
    try {
      String note =
          stub(authority)
              .withDeadlineAfter(SIGNATURE_SECONDS, TimeUnit.SECONDS)
              .countersign(CountersignRequest.newBuilder().setClosed(list.closed()).build())
              .getNote();
      if (note.isEmpty()) {
        return;
      }
      SignedNote signed = SignedNote.parse(note);
      if (!signed.text().equals(list.text()) || signed.signatures().size() != 1) {
        if (others.add(authority)) {
          log.warn(
              "the replica of authority {} signs another list than this gateway's: it follows"
                  + " another mailbox",
              authority);
        }
        return;
      }
      others.remove(authority);
      if (signed.isSignedBy(signers.of(authority))) {
        wrong.remove(authority);
        tables.addSignature(list.closed(), authority, signed);
      } else if (wrong.add(authority)) {
        log.warn(
            "the replica of authority {} signs lists with another key than the network names",
            authority);
      }
    } catch (StatusRuntimeException | ProtocolException e) {
      // asked again a second later
    }
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
