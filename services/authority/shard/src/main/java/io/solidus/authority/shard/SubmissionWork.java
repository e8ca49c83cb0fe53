package io.solidus.authority.shard;

import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.shard.range.RetryOnShardMove;
import io.solidus.authority.spend.Answers;
import io.solidus.authority.spend.BatchWork;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.v1.PartialSignature;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The work on a batch of queued messages: decodes them, runs the well-formed ones through the
 * pipeline and converts failures to rejections.
 *
 * @param <M> a message
 * @param <R> its decoded content
 */
class SubmissionWork<M, R extends SubmittedRequest>
    implements BatchWork<QueuedMessage<M>, PartialSignature> {
  private final String kind;
  private final Function<M, SpendRequest<R>> decode;
  private final RetryOnShardMove<R, PartialSignature> pipeline;
  private final UnaryOperator<ProtocolException> toCaller;
  private final Spans spans;

  /**
   * Makes the work for one kind of message.
   *
   * @param kind in traces
   * @param decode throws a ProtocolException for a malformed message
   * @param toCaller converts a rejection of the pipeline to the one that the caller gets
   */
  SubmissionWork(
      String kind,
      Function<M, SpendRequest<R>> decode,
      RetryOnShardMove<R, PartialSignature> pipeline,
      UnaryOperator<ProtocolException> toCaller,
      Spans spans) {
    this.kind = kind;
    this.decode = decode;
    this.pipeline = pipeline;
    this.toCaller = toCaller;
    this.spans = spans;
  }

  @Override
  public void run(List<QueuedMessage<M>> queued, Answers<PartialSignature> answers) {
    spans.batch(
        kind,
        queued.stream().map(QueuedMessage::place).toList(),
        () -> decodeAndRun(queued.stream().map(QueuedMessage::message).toList(), answers));
  }

  private void decodeAndRun(List<M> messages, Answers<PartialSignature> answers) {
    Failures failures = new Failures();
    List<SpendRequest<R>> requests = new ArrayList<>();
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      try {
        requests.add(decode.apply(messages.get(i)));
        indexes.add(i);
      } catch (RuntimeException e) {
        answers.answer(i, failures.toOutcome(e));
      }
    }
    pipeline.run(
        requests,
        (i, outcome) ->
            answers.answer(
                indexes.get(i),
                switch (outcome) {
                  case Outcome.Done<PartialSignature> done -> done;
                  case Outcome.Failed<PartialSignature> failed ->
                      failures.toOutcome(failed.reason());
                }));
  }

  /** Converts each exception once: an unavailable database fails a batch and logs one line. */
  private final class Failures {
    private final IdentityHashMap<RuntimeException, RuntimeException> converted =
        new IdentityHashMap<>();

    Outcome<PartialSignature> toOutcome(RuntimeException reason) {
      return Outcome.failed(converted.computeIfAbsent(reason, this::convert));
    }

    private RuntimeException convert(RuntimeException reason) {
      return GrpcReplies.rejection(reason).<RuntimeException>map(toCaller).orElse(reason);
    }
  }
}
