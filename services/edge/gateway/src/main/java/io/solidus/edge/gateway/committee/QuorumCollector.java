package io.solidus.edge.gateway.committee;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.Answer;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.Suite;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Collects partial signatures until 2f+1 of one epoch have verified. Every point is verified before
 * it counts, so a faulty authority costs only its own answer. The metric and the log line name the
 * authority and never the request.
 */
@Component
public class QuorumCollector {
  private static final Logger log = LoggerFactory.getLogger(QuorumCollector.class);

  /** Refusals that depend on the statement alone, so honest authorities cannot disagree on them. */
  private static final Set<RejectionCode> STATEMENT_REFUSALS =
      EnumSet.of(
          RejectionCode.SERIALS_NOT_DISTINCT,
          RejectionCode.CONTEXT_MISMATCH,
          RejectionCode.WRONG_NETWORK);

  /**
   * Refusals that depend on the evidence, which an authority that answers again does not verify.
   */
  private static final Set<RejectionCode> EVIDENCE_REFUSALS =
      EnumSet.of(
          RejectionCode.PROOF_INVALID,
          RejectionCode.SIGNATURE_INVALID,
          RejectionCode.SHOWN_SIGNATURE_INVALID,
          RejectionCode.IDENTITY_POINT,
          RejectionCode.POINT_NOT_ON_CURVE,
          RejectionCode.POINT_NOT_IN_SUBGROUP);

  private final AuthorityClient authorities;
  private final AuthorityFanOut fanOut;
  private final Committee committee;
  private final Suite suite;
  private final MeterRegistry metrics;
  private final MisbehaviourReporter misbehaviour;
  private final Clock clock;
  private final NetworkId network;
  private final Semaphore lateReplyPermits;

  QuorumCollector(
      AuthorityClient authorities,
      AuthorityFanOut fanOut,
      Committee committee,
      Suite suite,
      MeterRegistry metrics,
      MisbehaviourReporter misbehaviour,
      Clock clock,
      NetworkId network,
      GatewayProperties properties) {
    this.lateReplyPermits = new Semaphore(properties.maxConcurrent().payments());
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.suite = suite;
    this.metrics = metrics;
    this.misbehaviour = misbehaviour;
    this.clock = clock;
    this.network = network;
  }

  /**
   * Calls every authority. Once f+1 partial signatures are valid, authorities that refused for a
   * reason that may pass (such as a newer policy) are called again, with the partial signatures as
   * a certificate (the finish rule). The repetition does not wait for the f authorities that may
   * never answer.
   *
   * @param question calls an authority with a certificate, which may be empty
   */
  public Round collect(
      SignedStatement statement,
      BiFunction<Integer, List<PartialSignature>, SubmitReply> question) {
    Round round =
        new Round(
            fanOut.call(
                authorities.indexes(),
                index -> timed(index, () -> question.apply(index, List.of()))));
    while (!round.quorum(committee)
        && !round.refusedForGood(committee)
        && takeNext(round, statement)) {
      applyFinishRule(round, question);
    }
    return round;
  }

  private void applyFinishRule(
      Round round, BiFunction<Integer, List<PartialSignature>, SubmitReply> question) {
    boolean certified = round.signed().size() >= committee.weakQuorum() && !round.quorum(committee);
    if (certified && committee.n() - round.replies.outstanding() >= committee.quorum()) {
      List<PartialSignature> certificate = round.oneEach(committee.epoch());
      round.replies.call(
          round.takeRetryable(), index -> timed(index, () -> question.apply(index, certificate)));
    }
  }

  /** Records the duration of the call by authority. */
  private SubmitReply timed(int authority, Supplier<SubmitReply> call) {
    return Objects.requireNonNull(
        metrics
            .timer("solidus.gateway.authority.time", "authority", Integer.toString(authority))
            .record(call));
  }

  /**
   * Processes the replies that arrive after the quorum, in the background, so that the metrics tell
   * a slow authority from a silent one, and a faulty one is reported although no request waited for
   * it. Without a free permit the calling thread stops at the replies that it has.
   *
   * @param unsigned gets the authorities that have not signed; called on the background thread, or
   *     on the calling thread when no permit is free
   */
  public void collectLateReplies(
      SignedStatement statement, Round round, Consumer<List<Integer>> unsigned) {
    if (!lateReplyPermits.tryAcquire()) {
      finish(round, unsigned);
      return;
    }
    Thread.ofVirtual()
        .name("late-answers")
        .start(() -> {
          try {
            drain(round, statement);
            finish(round, unsigned);
          } catch (RuntimeException e) {
            log.warn("late replies: {}", e.getClass().getSimpleName());
          } finally {
            lateReplyPermits.release();
          }
        });
  }

  private void finish(Round round, Consumer<List<Integer>> unsigned) {
    reportContradictions(round);
    unsigned.accept(round.unsigned(authorities.indexes()));
  }

  /**
   * The certificate of a round with a quorum.
   *
   * @throws ProtocolException the refusal that f+1 authorities gave, otherwise no-quorum
   */
  public Certificate certificate(SignedStatement statement, Round round) {
    if (!round.quorum(committee)) {
      throw QuorumFailure.of(committee, round.refusals, round.missing.size());
    }
    List<PartialSignature> quorum = committee.combinable(round.valid).orElseThrow();
    List<G1Point> combined = new ArrayList<>();
    for (int output = 0; output < statement.outputs().coins().size(); output++) {
      Map<Integer, G1Point> points = new TreeMap<>();
      for (PartialSignature partial : quorum) {
        points.put(partial.authority(), partial.points().get(output));
      }
      combined.add(nativeCall("combine", () -> suite.combine(committee, points)));
    }
    return new Certificate(
        statement.core(), round.oneEach(quorum.getFirst().shareEpoch()), combined, round.faulty);
  }

  private void drain(Round round, SignedStatement statement) {
    while (takeNext(round, statement)) {
      // every reply changes the round
    }
  }

  private boolean takeNext(Round round, SignedStatement statement) {
    switch (round.replies.next()) {
      case null -> {
        return false;
      }
      case AuthorityFanOut.Reply.Missing<SubmitReply> missing -> addMissing(round, missing);
      case AuthorityFanOut.Reply.Received<SubmitReply> reply ->
          add(round, statement, reply.authority(), reply.value());
    }
    return true;
  }

  private void addMissing(Round round, AuthorityFanOut.Reply.Missing<SubmitReply> missing) {
    round.missing.put(missing.authority(), missing.reason());
    if (isUnreadableReply(missing.reason())) {
      reportFault(round, missing.authority(), MisbehaviourReporter.Fault.UNREADABLE_REPLY);
    } else {
      count("missing", missing.authority());
    }
  }

  /**
   * Whether a reply arrived that is not a readable message. Only a local failure to read has a
   * cause; a status that the authority sent has none.
   */
  private static boolean isUnreadableReply(RuntimeException reason) {
    if (!(reason instanceof StatusRuntimeException failure)) {
      return false;
    }
    Status status = failure.getStatus();
    return switch (status.getCode()) {
      case CANCELLED, INTERNAL -> status.getCause() instanceof StatusRuntimeException;
      case RESOURCE_EXHAUSTED ->
          String.valueOf(status.getDescription()).startsWith("gRPC message exceeds maximum size");
      default -> false;
    };
  }

  /**
   * After a quorum, reports the authorities that refused the statement or its evidence as invalid.
   * A refusal that depends on an authority's state proves nothing.
   */
  private void reportContradictions(Round round) {
    round.refusals.forEach((authority, refusal) -> {
      if (STATEMENT_REFUSALS.contains(refusal.code())) {
        misbehaviour.report(authority, MisbehaviourReporter.Fault.CONTRADICTS_QUORUM);
      } else if (EVIDENCE_REFUSALS.contains(refusal.code())) {
        misbehaviour.report(authority, MisbehaviourReporter.Fault.DISPUTES_EVIDENCE);
      }
    });
  }

  private void add(Round round, SignedStatement statement, int authority, SubmitReply reply) {
    switch (reply.getOutcomeCase()) {
      case SIGNED -> addSigned(round, statement, authority, reply);
      case REJECTED -> {
        round.refusals.put(authority, Rejections.toException(reply.getRejected()));
        HeldSerial.of(network, reply.getRejected())
            .ifPresent(held -> round.held.put(authority, held));
        count("refused", authority);
      }
      case OUTCOME_NOT_SET -> reportFault(round, authority, MisbehaviourReporter.Fault.EMPTY_REPLY);
    }
  }

  /**
   * Adds an answer: its parts in epochs that this gateway knows. Parts of other epochs are of no
   * use to it, and no authority is at fault.
   */
  private void addSigned(Round round, SignedStatement statement, int authority, SubmitReply reply) {
    Answer answer;
    try {
      answer = Codecs.toAnswer(reply.getSigned());
    } catch (ProtocolException e) {
      reportFault(round, authority, MisbehaviourReporter.Fault.MALFORMED_PARTIAL);
      return;
    }
    if (answer.present().authority() != authority) {
      reportFault(round, authority, MisbehaviourReporter.Fault.WRONG_SENDER);
      return;
    }
    Instant now = clock.instant();
    List<PartialSignature> known =
        answer.partials().stream()
            .filter(part -> committee.voteKey(authority, part.shareEpoch(), now).isPresent())
            .toList();
    if (known.isEmpty()) {
      round.refusals.put(
          authority,
          new ProtocolException(
              RejectionCode.UNAVAILABLE, "an authority signs with shares of another epoch"));
      count("other-epoch", authority);
      return;
    }
    Optional<MisbehaviourReporter.Fault> fault =
        known.stream().flatMap(part -> fault(statement, part, now).stream()).findFirst();
    if (fault.isPresent()) {
      reportFault(round, authority, fault.get());
    } else {
      round.valid.addAll(known);
      count("signed", authority);
    }
  }

  private void reportFault(Round round, int authority, MisbehaviourReporter.Fault fault) {
    round.faulty.add(authority);
    count("faulty", authority);
    misbehaviour.report(authority, fault);
  }

  /**
   * The fault of a part that is not its authority's vote for the core with a valid point for every
   * output.
   */
  private Optional<MisbehaviourReporter.Fault> fault(
      SignedStatement statement, PartialSignature partial, Instant now) {
    Outputs outputs = statement.outputs();
    if (partial.points().size() != outputs.coins().size()) {
      return Optional.of(MisbehaviourReporter.Fault.WRONG_POINT_COUNT);
    }
    if (!partial.votesFor(statement.core(), committee, now)) {
      return Optional.of(MisbehaviourReporter.Fault.WRONG_VOTE);
    }
    CommitteeMember signer =
        committee.at(partial.shareEpoch()).orElseThrow().member(partial.authority());
    for (int i = 0; i < outputs.coins().size(); i++) {
      int index = i;
      G1Point point = partial.points().get(i);
      if (!nativeCall("check-partial", () -> suite.checkPartial(signer, outputs, index, point))) {
        return Optional.of(MisbehaviourReporter.Fault.WRONG_SIGNATURE);
      }
    }
    return Optional.empty();
  }

  private <T> T nativeCall(String call, Supplier<T> work) {
    return Objects.requireNonNull(
        metrics.timer("solidus.gateway.native.duration", "call", call).record(work));
  }

  private void count(String outcome, int authority) {
    metrics
        .counter(
            "solidus.gateway.authority.answers",
            "authority",
            Integer.toString(authority),
            "outcome",
            outcome)
        .increment();
  }

  /** The replies received so far to one request; not thread-safe. */
  public static final class Round {
    /** At most one for each authority and epoch. */
    private final List<PartialSignature> valid = new ArrayList<>();

    private final Map<Integer, ProtocolException> refusals = new HashMap<>();
    private final SortedMap<Integer, HeldSerial> held = new TreeMap<>();
    private final Map<Integer, RuntimeException> missing = new HashMap<>();
    private final List<Integer> faulty = new ArrayList<>();
    private final Set<Integer> repeated = new HashSet<>();
    private final AuthorityFanOut.Replies<SubmitReply> replies;

    private Round(AuthorityFanOut.Replies<SubmitReply> replies) {
      this.replies = replies;
    }

    /** What authorities say holds serial numbers of the request, by authority. */
    public SortedMap<Integer, HeldSerial> held() {
      return held;
    }

    boolean quorum(Committee committee) {
      return committee.combinable(valid).isPresent();
    }

    /** The authorities that signed, in whatever epoch. */
    private Set<Integer> signed() {
      return valid.stream().map(PartialSignature::authority).collect(Collectors.toSet());
    }

    /** One valid partial signature of each authority: of this epoch where there is one. */
    private List<PartialSignature> oneEach(int epoch) {
      Map<Integer, PartialSignature> chosen = new TreeMap<>();
      for (PartialSignature partial : valid) {
        chosen.merge(
            partial.authority(),
            partial,
            (one, other) -> other.shareEpoch() == epoch ? other : one);
      }
      return List.copyOf(chosen.values());
    }

    /** Whether f+1 authorities refused for a permanent reason, so that 2f+1 can never sign. */
    boolean refusedForGood(Committee committee) {
      return refusals.values().stream().filter(refusal -> !refusal.code().retryable()).count()
          >= committee.weakQuorum();
    }

    /**
     * Removes the refusals that may pass and returns their authorities. Each authority is returned
     * only once in a round.
     */
    List<Integer> takeRetryable() {
      List<Integer> again =
          refusals.entrySet().stream()
              .filter(refusal -> refusal.getValue().code().retryable())
              .map(Map.Entry::getKey)
              .filter(repeated::add)
              .sorted()
              .toList();
      again.forEach(refusals::remove);
      return again;
    }

    /** Those of {@code all} that have not signed. */
    public List<Integer> unsigned(List<Integer> all) {
      Set<Integer> signed = signed();
      return all.stream().filter(index -> !signed.contains(index)).toList();
    }
  }
}
