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

  /** The signatures and the final refusals. */
  public record Result(
      Map<Integer, PartialSignature> signed, Map<Integer, RejectionCode> refusals) {}

  /** Decides when a transfer needs no more replies. */
  public interface Enough {
    boolean reached(Result soFar);
  }

  /**
   * A reply.
   *
   * @param partial the partial signature, if it verifies
   */
  private record Reply(
      int authority,
      @Nullable SubmitReply reply,
      Status status,
      Optional<PartialSignature> partial) {}

  private final ShardClients shards;
  private final SignatureTap tap;
  private final History history;
  private final int weakQuorum;

  public SigningClient(ShardClients shards, SignatureTap tap, History history, int weakQuorum) {
    this.shards = shards;
    this.tap = tap;
    this.history = history;
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
    private final RetrySchedule schedule;
    // at most one reply per authority
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private final Result result = new Result(new TreeMap<>(), new TreeMap<>());

    Round(Transfer transfer, Collection<Integer> asked) {
      this.transfer = transfer;
      this.schedule = new RetrySchedule(asked, System.nanoTime());
    }

    void step() throws InterruptedException {
      long now = System.nanoTime();
      schedule.takeDue(now).forEach(this::send);
      long wait = schedule.waitNanos(now, LONGEST_WAIT_NANOS);
      Reply reply = replies.poll(wait, TimeUnit.NANOSECONDS);
      if (reply != null) {
        take(reply);
      }
    }

    private void send(int authority) {
      Collection<PartialSignature> certificate =
          result.signed().size() >= weakQuorum ? result.signed().values() : List.of();
      shards.submit(
          authority,
          transfer.statement().leadSerial(),
          transfer.request(certificate),
          (reply, status) ->
              replies.add(new Reply(authority, reply, status, tapped(authority, reply))));
    }

    /**
     * Runs in the call's thread, so that a signature is recorded even after the caller has given
     * up.
     */
    private Optional<PartialSignature> tapped(int authority, @Nullable SubmitReply reply) {
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
      return answer.map(Answer::present);
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
      switch (reply.reply().getOutcomeCase()) {
        case SIGNED ->
            reply.partial().ifPresent(partial -> result.signed().put(authority, partial));
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
        if (transfer.outdated() && result.signed().size() < weakQuorum) {
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
