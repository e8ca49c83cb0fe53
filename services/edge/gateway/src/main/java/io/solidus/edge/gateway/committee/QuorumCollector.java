package io.solidus.edge.gateway.committee;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.Suite;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Collects partial signatures until 2f+1 have verified. Every point is checked before it counts, so
 * one faulty authority costs nothing but its own answer; it is named in a metric and a log line,
 * the request never is.
 */
@Component
public class QuorumCollector {
  private static final Logger LOG = LoggerFactory.getLogger(QuorumCollector.class);

  /**
   * Reasons that follow from what is signed alone, so that honest authorities cannot differ about
   * them.
   */
  private static final Set<RejectionCode> OF_THE_STATEMENT =
      EnumSet.of(
          RejectionCode.SERIALS_NOT_DISTINCT,
          RejectionCode.CONTEXT_MISMATCH,
          RejectionCode.WRONG_NETWORK);

  /**
   * Reasons that follow from the evidence, which an authority that answers again does not look at.
   */
  private static final Set<RejectionCode> OF_THE_EVIDENCE =
      EnumSet.of(
          RejectionCode.PROOF_INVALID,
          RejectionCode.SIGNATURE_INVALID,
          RejectionCode.SHOWN_SIGNATURE_INVALID,
          RejectionCode.IDENTITY_POINT,
          RejectionCode.POINT_NOT_ON_CURVE,
          RejectionCode.POINT_NOT_IN_SUBGROUP);

  private final Authorities authorities;
  private final FanOut fanOut;
  private final Committee committee;
  private final Suite suite;
  private final MeterRegistry metrics;
  private final Culprits culprits;
  private final Semaphore settling;

  QuorumCollector(
      Authorities authorities,
      FanOut fanOut,
      Committee committee,
      Suite suite,
      MeterRegistry metrics,
      Culprits culprits,
      GatewayProperties properties) {
    this.settling = new Semaphore(properties.maxConcurrent());
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.suite = suite;
    this.metrics = metrics;
    this.culprits = culprits;
  }

  /**
   * Asks every authority; when f+1 valid partial signatures are there and others refuse for a
   * policy that has moved on, asks those again with the partial signatures as a certificate (the
   * finish rule). It is not put off for the f that may never answer.
   *
   * @param question the authority and the certificate to send along, to its reply
   */
  public Round collect(
      SignedStatement statement,
      BiFunction<Integer, List<PartialSignature>, SubmitReply> question) {
    Round round =
        new Round(
            fanOut.ask(
                authorities.indexes(),
                index -> timed(index, () -> question.apply(index, List.of()))));
    while (!round.quorum(committee)
        && !round.refusedForGood(committee)
        && takeNext(round, statement)) {
      finish(round, question);
    }
    return round;
  }

  private void finish(
      Round round, BiFunction<Integer, List<PartialSignature>, SubmitReply> question) {
    boolean certified = round.valid.size() >= committee.weakQuorum() && !round.quorum(committee);
    if (certified && committee.n() - round.answers.outstanding() >= committee.quorum()) {
      List<PartialSignature> certificate = List.copyOf(round.valid.values());
      round.answers.ask(
          round.askAgain(), index -> timed(index, () -> question.apply(index, certificate)));
    }
  }

  /** How long each authority takes is what tells a slow one. */
  private SubmitReply timed(int authority, Supplier<SubmitReply> call) {
    return Objects.requireNonNull(
        metrics
            .timer("solidus.gateway.authority.time", "authority", Integer.toString(authority))
            .record(call));
  }

  /**
   * Takes in, in the background, what comes after the quorum: so a slow authority is told from an
   * absent one, and a faulty one is named although nobody waited for it.
   *
   * @param unsigned gets the authorities that have not signed in the end
   */
  public void settle(SignedStatement statement, Round round, Consumer<List<Integer>> unsigned) {
    Runnable rest =
        () -> {
          drain(round, statement);
          nameContradictions(round);
          unsigned.accept(round.unsigned(authorities.indexes()));
        };
    if (!settling.tryAcquire()) {
      nameContradictions(round);
      unsigned.accept(round.unsigned(authorities.indexes()));
      return;
    }
    Thread.ofVirtual()
        .name("late-answers")
        .start(() -> {
          try {
            rest.run();
          } catch (RuntimeException failure) {
            LOG.warn("late answers: {}", failure.getClass().getSimpleName());
          } finally {
            settling.release();
          }
        });
  }

  /** The certificate of a round with a quorum. */
  public Certificate certificate(SignedStatement statement, Round round) {
    if (!round.quorum(committee)) {
      throw Verdict.of(committee, round.refusals, round.missing.size());
    }
    List<G1Point> combined = new ArrayList<>();
    for (int output = 0; output < statement.outputs().size(); output++) {
      Map<Integer, G1Point> points = new TreeMap<>();
      for (PartialSignature partial : round.valid.values()) {
        if (points.size() < committee.quorum()) {
          points.put(partial.authority(), partial.points().get(output));
        }
      }
      combined.add(nativeCall("combine", () -> suite.combine(committee, points)));
    }
    return new Certificate(
        statement.core(), List.copyOf(round.valid.values()), combined, round.faulty);
  }

  private void drain(Round round, SignedStatement statement) {
    while (takeNext(round, statement)) {
      // the next answer
    }
  }

  private boolean takeNext(Round round, SignedStatement statement) {
    switch (round.answers.next()) {
      case null -> {
        return false;
      }
      case FanOut.Answer.Missing<SubmitReply> missing -> missed(round, missing);
      case FanOut.Answer.Given<SubmitReply> given ->
          judge(round, statement, given.authority(), given.value());
    }
    return true;
  }

  private void missed(Round round, FanOut.Answer.Missing<SubmitReply> missing) {
    round.missing.put(missing.authority(), missing.reason());
    if (unreadable(missing.reason())) {
      blame(round, missing.authority(), Culprits.Fault.UNREADABLE_REPLY);
    } else {
      count("missing", missing.authority());
    }
  }

  /**
   * Whether something came, and was no message. A status that an authority sends never has a cause
   * here.
   */
  private static boolean unreadable(RuntimeException reason) {
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
   * With a quorum: who called the statement or its evidence invalid? A refusal that may rest on
   * state says nothing.
   */
  private void nameContradictions(Round round) {
    round.refusals.forEach((authority, refusal) -> {
      if (OF_THE_STATEMENT.contains(refusal.code())) {
        culprits.name(authority, Culprits.Fault.CONTRADICTS_QUORUM);
      } else if (OF_THE_EVIDENCE.contains(refusal.code())) {
        culprits.name(authority, Culprits.Fault.DISPUTES_EVIDENCE);
      }
    });
  }

  private void judge(Round round, SignedStatement statement, int authority, SubmitReply reply) {
    switch (reply.getOutcomeCase()) {
      case SIGNED -> signed(round, statement, authority, reply);
      case REJECTED -> {
        round.refusals.put(authority, Rejections.toException(reply.getRejected()));
        count("refused", authority);
      }
      case OUTCOME_NOT_SET -> blame(round, authority, Culprits.Fault.EMPTY_REPLY);
    }
  }

  private void signed(Round round, SignedStatement statement, int authority, SubmitReply reply) {
    if (reply.getSigned().getShareEpoch() != committee.epoch()) {
      // its shares were refreshed and ours were not, or the other way round: not to be combined,
      // but nobody's fault
      round.refusals.put(
          authority,
          new ProtocolException(
              RejectionCode.UNAVAILABLE, "an authority signs with shares of another epoch"));
      count("other-epoch", authority);
      return;
    }
    Optional<Culprits.Fault> fault = fault(statement, authority, reply);
    if (fault.isPresent()) {
      blame(round, authority, fault.get());
    } else {
      round.valid.put(authority, Codecs.toDomain(reply.getSigned()));
      count("signed", authority);
    }
  }

  private void blame(Round round, int authority, Culprits.Fault fault) {
    round.faulty.add(authority);
    count("faulty", authority);
    culprits.name(authority, fault);
  }

  /** What is wrong with the reply as this authority's own partial signature on every output. */
  private Optional<Culprits.Fault> fault(
      SignedStatement statement, int authority, SubmitReply reply) {
    PartialSignature partial;
    try {
      partial = Codecs.toDomain(reply.getSigned());
    } catch (ProtocolException malformed) {
      return Optional.of(Culprits.Fault.MALFORMED_PARTIAL);
    }
    List<BlindedCoin> outputs = statement.outputs();
    if (partial.authority() != authority) {
      return Optional.of(Culprits.Fault.WRONG_SENDER);
    }
    if (partial.points().size() != outputs.size()) {
      return Optional.of(Culprits.Fault.WRONG_POINT_COUNT);
    }
    for (int i = 0; i < outputs.size(); i++) {
      BlindedCoin output = outputs.get(i);
      G1Point point = partial.points().get(i);
      if (!nativeCall(
          "check-partial",
          () ->
              suite.checkPartial(committee.member(authority), output, statement.digest(), point))) {
        return Optional.of(Culprits.Fault.WRONG_SIGNATURE);
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

  /** What has come in so far. */
  public static final class Round {
    private final Map<Integer, PartialSignature> valid = new TreeMap<>();
    private final Map<Integer, ProtocolException> refusals = new HashMap<>();
    private final Map<Integer, RuntimeException> missing = new HashMap<>();
    private final List<Integer> faulty = new ArrayList<>();
    private final Set<Integer> askedAgain = new HashSet<>();
    private final FanOut.Answers<SubmitReply> answers;

    private Round(FanOut.Answers<SubmitReply> answers) {
      this.answers = answers;
    }

    boolean quorum(Committee committee) {
      return valid.size() >= committee.quorum();
    }

    /** f+1 refused for a reason that no second try changes: 2f+1 can never sign. */
    boolean refusedForGood(Committee committee) {
      return refusals.values().stream().filter(refusal -> !refusal.code().retryable()).count()
          >= committee.weakQuorum();
    }

    /** Who refused for a reason that may pass, each only once; their refusals no longer count. */
    List<Integer> askAgain() {
      List<Integer> again =
          refusals.entrySet().stream()
              .filter(refusal -> refusal.getValue().code().retryable())
              .map(Map.Entry::getKey)
              .filter(askedAgain::add)
              .sorted()
              .toList();
      again.forEach(refusals::remove);
      return again;
    }

    /** Authorities of {@code all} that have not signed. */
    public List<Integer> unsigned(List<Integer> all) {
      return all.stream().filter(index -> !valid.containsKey(index)).toList();
    }
  }
}
