package io.solidus.authority.shard;

import io.solidus.platform.tracing.Spans.Place;

/**
 * A message in a queue and its place in a trace, so that the span of its batch can be linked to it.
 *
 * @param <M> the message
 */
record QueuedMessage<M>(M message, Place place) {
  static <M> QueuedMessage<M> here(M message) {
    return new QueuedMessage<>(message, Place.here());
  }
}
