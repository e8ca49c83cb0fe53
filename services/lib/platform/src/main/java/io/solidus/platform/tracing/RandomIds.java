package io.solidus.platform.tracing;

import io.opentelemetry.sdk.trace.IdGenerator;

/**
 * Makes unpredictable ids. A wallet sees the id of its own request, which must not reveal the ids
 * of others.
 */
final class RandomIds implements IdGenerator {
  @Override
  public String generateTraceId() {
    return Trace.newTraceId();
  }

  @Override
  public String generateSpanId() {
    return Trace.newSpanId();
  }
}
