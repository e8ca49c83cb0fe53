package io.solidus.authority.shard;

import io.solidus.authority.spend.batch.BatchWork;
import io.solidus.platform.tracing.Spans;
import io.solidus.platform.tracing.Spans.Place;

/**
 * A message in a queue and the place in a trace that it came from: a batch's span is found from
 * every request in it.
 *
 * @param <M> the message
 */
record Queued<M>(M message, Place place) {

  static <M> Queued<M> here(M message) {
    return new Queued<>(message, Place.here());
  }

  /** The work on messages as work on queued ones. */
  static <M, A> BatchWork<Queued<M>, A> traced(String kind, BatchWork<M, A> work, Spans spans) {
    return (queued, answers) ->
        spans.batch(
            kind,
            queued.stream().map(Queued::place).toList(),
            () -> work.run(queued.stream().map(Queued::message).toList(), answers));
  }
}
