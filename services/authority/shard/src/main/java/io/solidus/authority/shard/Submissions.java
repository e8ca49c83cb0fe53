package io.solidus.authority.shard;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.spend.Answers;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.batch.BatchWork;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.PartialSignature;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a worker does with a batch of messages: decodes them, sends what is well-formed through the
 * pipeline and says what its failures mean to a caller.
 *
 * @param <M> a message, @param <R> what it holds
 */
class Submissions<M, R extends Submitted> implements BatchWork<M, PartialSignature> {

  private final Function<M, Spend<R>> decode;
  private final BatchWork<Spend<R>, PartialSignature> pipeline;

  /**
   * @param decode throws a ProtocolException for what is not well-formed
   */
  Submissions(Function<M, Spend<R>> decode, BatchWork<Spend<R>, PartialSignature> pipeline) {
    this.decode = decode;
    this.pipeline = pipeline;
  }

  @Override
  public void run(List<M> messages, Answers<PartialSignature> answers) {
    Refusals refusals = new Refusals();
    List<Spend<R>> spends = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      try {
        spends.add(decode.apply(messages.get(i)));
        places.add(i);
      } catch (RuntimeException e) {
        answers.answer(i, refusals.of(e));
      }
    }
    pipeline.run(
        spends,
        (i, outcome) ->
            answers.answer(
                places.get(i),
                switch (outcome) {
                  case Outcome.Done<PartialSignature> done -> done;
                  case Outcome.Failed<PartialSignature> failed -> refusals.of(failed.reason());
                }));
  }

  /** One database that is away fails a whole batch, and is worth one line in the log. */
  private static final class Refusals {
    private final Map<RuntimeException, RuntimeException> known = new IdentityHashMap<>();

    Outcome<PartialSignature> of(RuntimeException reason) {
      return Outcome.failed(
          known.computeIfAbsent(
              reason, r -> GrpcReplies.refusal(r).<RuntimeException>map(e -> e).orElse(r)));
    }
  }

  /** For mints: what is a serial number's conflict inside is a mint id's conflict to the caller. */
  static <M> BatchWork<M, PartialSignature> asMints(BatchWork<M, PartialSignature> work) {
    return (messages, answers) ->
        work.run(messages, (i, outcome) -> answers.answer(i, asMint(outcome)));
  }

  private static Outcome<PartialSignature> asMint(Outcome<PartialSignature> outcome) {
    return outcome instanceof Outcome.Failed<PartialSignature> failed
            && failed.reason() instanceof ProtocolException refusal
            && refusal.code() == RejectionCode.SERIAL_CONFLICT
        ? Outcome.failed(
            new ProtocolException(
                RejectionCode.MINT_CONFLICT, "the mint id was used for another mint", refusal))
        : outcome;
  }
}
