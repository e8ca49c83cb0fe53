package io.solidus.loadtest.chaos.load;

import io.grpc.Status;
import io.solidus.loadtest.chaos.load.Tap.Signed;
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
 * Sends a core to authorities again and again until enough have signed, as a gateway and its wallet
 * would, but with every reply on the {@link Tap}. An authority has at most one call of a transfer
 * under way.
 */
public final class Collector {

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 1500;

  /** What came of it; {@code refusals} are final ones. */
  public record Result(
      Map<Integer, PartialSignature> signed, Map<Integer, RejectionCode> refusals) {}

  /** Who says that a transfer needs nothing more. */
  public interface Enough {
    boolean reached(Result soFar);
  }

  /**
   * @param partial what was signed, when that verifies
   */
  private record Reply(
      int authority,
      @Nullable SubmitReply reply,
      Status status,
      Optional<PartialSignature> partial) {}

  private final Validators validators;
  private final Tap tap;
  private final History history;
  private final int weakQuorum;

  public Collector(Validators validators, Tap tap, History history, int weakQuorum) {
    this.validators = validators;
    this.tap = tap;
    this.history = history;
    this.weakQuorum = weakQuorum;
  }

  /**
   * @param asked authorities
   * @param giveUp asked now and then
   * @return what was there when it was enough, or when it was given up
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
    private final Map<Integer, Long> pause = new TreeMap<>();
    private final Map<Integer, Long> dueAt = new TreeMap<>();
    // at most one reply of each authority
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private final Result result = new Result(new TreeMap<>(), new TreeMap<>());

    Round(Transfer transfer, Collection<Integer> asked) {
      this.transfer = transfer;
      asked.forEach(authority -> {
        pause.put(authority, FIRST_PAUSE_MILLIS);
        dueAt.put(authority, System.nanoTime());
      });
    }

    void step() throws InterruptedException {
      long now = System.nanoTime();
      long wait = TimeUnit.MILLISECONDS.toNanos(200);
      for (int authority : List.copyOf(dueAt.keySet())) {
        long left = dueAt.get(authority) - now;
        if (left <= 0) {
          dueAt.remove(authority);
          send(authority);
        } else {
          wait = Math.min(wait, left);
        }
      }
      Reply reply = replies.poll(wait, TimeUnit.NANOSECONDS);
      if (reply != null) {
        take(reply);
      }
    }

    private void send(int authority) {
      Collection<PartialSignature> certificate =
          result.signed().size() >= weakQuorum ? result.signed().values() : List.of();
      validators.submit(
          authority,
          transfer.statement().leadSerial(),
          transfer.request(certificate),
          (reply, status) ->
              replies.add(new Reply(authority, reply, status, tapped(authority, reply))));
    }

    /**
     * In the call's own thread, so that a signature is seen even when nobody waits for it any more.
     */
    private Optional<PartialSignature> tapped(int authority, @Nullable SubmitReply reply) {
      if (reply == null || !reply.hasSigned()) {
        return Optional.empty();
      }
      Optional<PartialSignature> partial = partial(authority, reply);
      tap.add(
          new Signed(
              authority,
              transfer.core(),
              transfer.statement().serials(),
              reply.getSigned().toByteArray(),
              partial.isPresent()),
          transfer.begunAt());
      return partial;
    }

    private Optional<PartialSignature> partial(int authority, SubmitReply reply) {
      try {
        return Optional.of(Codecs.toDomain(reply.getSigned()))
            .filter(partial -> transfer.verifies(authority, partial));
      } catch (ProtocolException malformed) {
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
        validators.moved(authority, transfer.statement().leadSerial());
      }
      if (code.retryable()) {
        // with f+1 signatures the finish rule does without new evidence
        if (transfer.outdated() && result.signed().size() < weakQuorum) {
          transfer.renew();
        }
        again(authority);
      } else {
        result.refusals().put(authority, code);
      }
    }

    private void again(int authority) {
      long millis = pause.get(authority);
      pause.put(authority, Math.min(LONGEST_PAUSE_MILLIS, millis * 2));
      dueAt.put(authority, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }
}
