package io.solidus.gateway.committee;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.gateway.GatewayProperties;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Collects partial signatures until 2f+1 have verified. Every point is checked before it counts, so one faulty authority costs nothing
 * but its own answer; it is named in a metric and a log line, the request never is.
 */
@Component
public class QuorumCollector {
  private static final Logger LOG = LoggerFactory.getLogger(QuorumCollector.class);

  private final Authorities authorities;
  private final FanOut fanOut;
  private final Committee committee;
  private final Suite suite;
  private final MeterRegistry metrics;
  private final Semaphore settling;

  QuorumCollector(
      Authorities authorities,
      FanOut fanOut,
      Committee committee,
      Suite suite,
      MeterRegistry metrics,
      GatewayProperties properties) {
    this.settling = new Semaphore(properties.maxConcurrent());
    this.authorities = authorities;
    this.fanOut = fanOut;
    this.committee = committee;
    this.suite = suite;
    this.metrics = metrics;
  }

  /**
   * Asks every authority; when f+1 valid partial signatures are there and others refuse for a policy that has moved on, asks those
   * again with the partial signatures as a certificate (the finish rule).
   *
   * @param question the authority and the certificate to send along, to its reply
   */
  public Round collect(SignedStatement statement, BiFunction<Integer, List<PartialSignature>, SubmitReply> question) {
    Round round = new Round();
    take(round, statement, fanOut.ask(authorities.indexes(), index -> question.apply(index, List.of())));
    if (!round.quorum(committee) && round.valid.size() >= committee.weakQuorum()) {
      List<PartialSignature> certificate = List.copyOf(round.valid.values());
      List<Integer> again = round.refusedRetryably();
      again.forEach(round.refusals::remove);
      take(round, statement, fanOut.ask(again, index -> question.apply(index, certificate)));
    }
    return round;
  }

  /**
   * Takes in, in the background, what comes after the quorum: so a slow authority is told from an absent one, and a faulty one is named
   * although nobody waited for it.
   *
   * @param unsigned gets the authorities that have not signed in the end
   */
  public void settle(SignedStatement statement, Round round, Consumer<List<Integer>> unsigned) {
    Runnable rest =
        () -> {
          drain(round, statement);
          unsigned.accept(round.unsigned(authorities.indexes()));
        };
    if (!settling.tryAcquire()) {
      unsigned.accept(round.unsigned(authorities.indexes()));
      return;
    }
    Thread.ofVirtual()
        .name("late-answers")
        .start(
            () -> {
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
      combined.add(suite.combine(committee, points));
    }
    return new Certificate(statement.core(), List.copyOf(round.valid.values()), combined, round.faulty);
  }

  /** Until there is a quorum, or cannot be one any more, or nobody is left to answer. */
  private void take(Round round, SignedStatement statement, FanOut.Answers<SubmitReply> answers) {
    round.answers = answers;
    while (!round.quorum(committee) && !round.refusedForGood(committee) && takeNext(round, statement)) {
      // the next answer
    }
  }

  private void drain(Round round, SignedStatement statement) {
    while (takeNext(round, statement)) {
      // the next answer
    }
  }

  private boolean takeNext(Round round, SignedStatement statement) {
    FanOut.Answers<SubmitReply> answers = round.answers;
    FanOut.Answer<SubmitReply> answer = answers == null ? null : answers.next();
    switch (answer) {
      case null -> {
        return false;
      }
      case FanOut.Answer.Missing<SubmitReply> missing -> missed(round, missing);
      case FanOut.Answer.Given<SubmitReply> given -> judge(round, statement, given.authority(), given.value());
    }
    return true;
  }

  private void missed(Round round, FanOut.Answer.Missing<SubmitReply> missing) {
    round.missing.put(missing.authority(), missing.reason());
    count("missing", missing.authority());
  }

  private void judge(Round round, SignedStatement statement, int authority, SubmitReply reply) {
    switch (reply.getOutcomeCase()) {
      case SIGNED -> signed(round, statement, authority, reply);
      case REJECTED -> {
        round.refusals.put(authority, Rejections.toException(reply.getRejected()));
        count("refused", authority);
      }
      case OUTCOME_NOT_SET -> blame(round, authority);
    }
  }

  private void signed(Round round, SignedStatement statement, int authority, SubmitReply reply) {
    if (reply.getSigned().getShareEpoch() != committee.epoch()) {
      // its shares were refreshed and ours were not, or the other way round: not to be combined, but nobody's fault
      round.refusals.put(
          authority, new ProtocolException(RejectionCode.UNAVAILABLE, "an authority signs with shares of another epoch"));
      count("other-epoch", authority);
    } else if (valid(statement, authority, reply)) {
      round.valid.put(authority, Codecs.toDomain(reply.getSigned()));
      count("signed", authority);
    } else {
      blame(round, authority);
    }
  }

  private void blame(Round round, int authority) {
    round.faulty.add(authority);
    count("faulty", authority);
    LOG.warn("authority {} answered with a partial signature that does not verify", authority);
  }

  /** Whether the reply is this authority's own partial signature on every output. */
  private boolean valid(SignedStatement statement, int authority, SubmitReply reply) {
    PartialSignature partial;
    try {
      partial = Codecs.toDomain(reply.getSigned());
    } catch (ProtocolException malformed) {
      return false;
    }
    List<BlindedCoin> outputs = statement.outputs();
    if (partial.authority() != authority || partial.points().size() != outputs.size()) {
      return false;
    }
    for (int i = 0; i < outputs.size(); i++) {
      if (!suite.checkPartial(committee.member(authority), outputs.get(i), statement.digest(), partial.points().get(i))) {
        return false;
      }
    }
    return true;
  }

  private void count(String outcome, int authority) {
    metrics
        .counter("solidus.gateway.authority.answers", "authority", Integer.toString(authority), "outcome", outcome)
        .increment();
  }

  /** What has come in so far. */
  public static final class Round {
    private final Map<Integer, PartialSignature> valid = new TreeMap<>();
    private final Map<Integer, ProtocolException> refusals = new HashMap<>();
    private final Map<Integer, RuntimeException> missing = new HashMap<>();
    private final List<Integer> faulty = new ArrayList<>();
    private FanOut.@Nullable Answers<SubmitReply> answers;

    boolean quorum(Committee committee) {
      return valid.size() >= committee.quorum();
    }

    /** f+1 refused for a reason that no second try changes: 2f+1 can never sign. */
    boolean refusedForGood(Committee committee) {
      return refusals.values().stream().filter(refusal -> !refusal.code().retryable()).count() >= committee.weakQuorum();
    }

    List<Integer> refusedRetryably() {
      return refusals.entrySet().stream()
          .filter(refusal -> refusal.getValue().code().retryable())
          .map(Map.Entry::getKey)
          .sorted()
          .toList();
    }

    /** Authorities of {@code all} that have not signed. */
    public List<Integer> unsigned(List<Integer> all) {
      return all.stream().filter(index -> !valid.containsKey(index)).toList();
    }
  }
}
