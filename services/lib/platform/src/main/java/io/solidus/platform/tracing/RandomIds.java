package io.solidus.platform.tracing;

import io.opentelemetry.sdk.trace.IdGenerator;

/**
 * Ids that nobody can foretell: a wallet learns its own request's, and must not learn from it what
 * the next one's is.
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
