package io.solidus.loadtest.chaos.load;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.solidus.loadtest.chaos.load.SignatureTap.Signed;
import io.solidus.protocol.Answer;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.Rejection;
import io.solidus.wire.v1.SubmitReply;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a core to authorities repeatedly until enough have signed, as a gateway and its wallet do,
 * and records every reply on the {@link SignatureTap}. An authority has at most one call of a
 * transfer at a time.
 */
public final class SigningClient {

  private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The answers and the final refusals, by authority. */
  public record Result(Map<Integer, Answer> answers, Map<Integer, RejectionCode> refusals) {

    /** The signature of each authority in its newest epoch. */
    public Map<Integer, PartialSignature> signed() {
      Map<Integer, PartialSignature> signed = new TreeMap<>();
      answers.forEach((authority, answer) -> signed.put(authority, answer.present()));
      return signed;
    }

    /**
     * The signatures of the epoch in which most authorities signed, of several the newest: only
     * those combine.
     */
    public Map<Integer, PartialSignature> ofOneEpoch() {
      Map<Integer, Map<Integer, PartialSignature>> epochs =
          new TreeMap<>(Comparator.reverseOrder());
      answers.forEach((authority, answer) ->
          answer
              .partials()
              .forEach(partial ->
                  epochs
                      .computeIfAbsent(partial.shareEpoch(), epoch -> new TreeMap<>())
                      .put(authority, partial)));
      Map<Integer, PartialSignature> most = Map.of();
      for (Map<Integer, PartialSignature> epoch : epochs.values()) {
        if (epoch.size() > most.size()) {
          most = epoch;
        }
      }
      return most;
    }

    /** The authorities whose answer lacks the newest epoch of all answers. */
    private List<Integer> behind() {
      int newest =
          answers.values().stream()
              .mapToInt(answer -> answer.present().shareEpoch())
              .max()
              .orElse(0);
      return answers.entrySet().stream()
          .filter(each -> each.getValue().present().shareEpoch() < newest)
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  /** Decides when a transfer needs no more replies. */
  public interface Enough {
    boolean reached(Result soFar);
  }

  /**
   * A reply.
   *
   * @param answer if all its signatures verify
   * @param lie whether a fault gave it
   */
  private record Reply(
      int authority,
      @Nullable SubmitReply reply,
      Status status,
      Optional<Answer> answer,
      boolean lie) {}

  private final ShardClients shards;
  private final SignatureTap tap;
  private final History history;
  private final Lies lies;
  private final int weakQuorum;

  public SigningClient(
      ShardClients shards, SignatureTap tap, History history, Lies lies, int weakQuorum) {
    this.shards = shards;
    this.tap = tap;
    this.history = history;
    this.lies = lies;
    this.weakQuorum = weakQuorum;
  }

  /**
   * Collects replies until they are enough or {@code giveUp} is true.
   *
   * @param asked authorities
   */
  public Result collect(
      Transfer transfer, Collection<Integer> asked, Enough enough, BooleanSupplier giveUp)
      throws InterruptedException {
    Round round = new Round(transfer, asked);
    while (!enough.reached(round.result) && !giveUp.getAsBoolean()) {
      round.step();
    }
    return round.result;
  }

  private final class Round {
    private final Transfer transfer;
    private final int asked;
    private final RetrySchedule schedule;
    // at most one reply per authority
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private final Result result = new Result(new TreeMap<>(), new TreeMap<>());

    Round(Transfer transfer, Collection<Integer> asked) {
      this.transfer = transfer;
      this.asked = asked.size();
      this.schedule = new RetrySchedule(asked, System.nanoTime());
    }

    void step() throws InterruptedException {
      renewAnswers();
      long now = System.nanoTime();
      schedule.takeDue(now).forEach(this::send);
      long wait = schedule.waitNanos(now, LONGEST_WAIT_NANOS);
      Reply reply = replies.poll(wait, TimeUnit.NANOSECONDS);
      if (reply != null) {
        take(reply);
      }
    }

    /**
     * Asks again for answers of an older epoch when no other answer is to come: every authority
     * signs the same core in the epoch of its shares.
     */
    private void renewAnswers() {
      if (result.answers().size() + result.refusals().size() == asked) {
        for (int authority : result.behind()) {
          result.answers().remove(authority);
          again(authority);
        }
      }
    }

    private void send(int authority) {
      Collection<PartialSignature> certificate =
          result.answers().size() >= weakQuorum ? result.signed().values() : List.of();
      shards.submit(
          authority,
          transfer.statement().leadSerial(),
          transfer.request(certificate),
          (reply, status) -> {
            boolean lie = reply != null && lies.isLie(reply);
            replies.add(
                new Reply(
                    authority,
                    reply,
                    status,
                    lie ? deceived(authority, reply) : tapped(authority, reply),
                    lie));
          });
    }

    /** No lie passes the check of a signature. */
    private Optional<Answer> deceived(int authority, SubmitReply lie) {
      if (lie.hasSigned() && answer(authority, lie).isPresent()) {
        tap.deceived(authority, transfer.core());
      }
      return Optional.empty();
    }

    /**
     * Runs in the call's thread, so that a signature is recorded even after the caller has given
     * up.
     */
    private Optional<Answer> tapped(int authority, @Nullable SubmitReply reply) {
      if (reply == null || !reply.hasSigned()) {
        return Optional.empty();
      }
      Optional<Answer> answer = answer(authority, reply);
      if (answer.isEmpty()) {
        tap(authority, reply.getSigned().toByteString(), false);
      }
      answer.stream()
          .flatMap(found -> found.partials().stream())
          .forEach(part -> tap(authority, Codecs.toWire(part).toByteString(), true));
      return answer;
    }

    private void tap(int authority, ByteString bytes, boolean valid) {
      tap.add(
          new Signed(authority, transfer.core(), transfer.statement().serials(), bytes, valid),
          transfer.begunAt());
    }

    private Optional<Answer> answer(int authority, SubmitReply reply) {
      try {
        return Optional.of(Codecs.toAnswer(reply.getSigned()))
            .filter(answer ->
                answer.partials().stream().allMatch(part -> transfer.verifies(authority, part)));
      } catch (ProtocolException e) {
        return Optional.empty();
      }
    }

    private void take(Reply reply) {
      int authority = reply.authority();
      if (reply.reply() == null) {
        history.count("status " + reply.status().getCode());
        again(authority);
        return;
      }
      if (reply.lie()) {
        history.count("lie");
        again(authority);
        return;
      }
      switch (reply.reply().getOutcomeCase()) {
        case SIGNED -> reply.answer().ifPresent(answer -> result.answers().put(authority, answer));
        case REJECTED -> refused(authority, reply.reply().getRejected());
        case OUTCOME_NOT_SET -> again(authority);
      }
    }

    private void refused(int authority, Rejection rejection) {
      history.count(rejection.getCode());
      RejectionCode code = RejectionCode.of(rejection.getCode()).orElse(RejectionCode.INTERNAL);
      if (code == RejectionCode.SHARD_MOVED) {
        shards.moved(authority, transfer.statement().leadSerial());
      }
      if (code.retryable()) {
        // with f+1 signatures the finish rule needs no new evidence
        if (transfer.outdated() && result.answers().size() < weakQuorum) {
          transfer.renew();
        }
        again(authority);
      } else {
        result.refusals().put(authority, code);
      }
    }

    private void again(int authority) {
      schedule.again(authority, System.nanoTime());
    }
  }
}
