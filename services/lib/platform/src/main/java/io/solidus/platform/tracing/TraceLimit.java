package io.solidus.platform.tracing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Sampler that limits the traces per second in this process, also those that callers started. A
 * trace beyond the limit is not recorded here or in the services called from here.
 */
final class TraceLimit implements Sampler {
  private static final double NANOS = 1e9;

  private final Sampler first;
  private final double perSecond;
  private final LongSupplier nanoTime;
  private double left;
  private long then;

  /**
   * @param first decides before the limit
   * @param perSecond at least 1; also the largest burst
   */
  TraceLimit(Sampler first, int perSecond, LongSupplier nanoTime) {
    this.first = first;
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.left = perSecond;
    this.then = nanoTime.getAsLong();
  }

  @Override
  public SamplingResult shouldSample(
      Context parent,
      String traceId,
      String name,
      SpanKind kind,
      Attributes attributes,
      List<LinkData> links) {
    SamplingResult wanted = first.shouldSample(parent, traceId, name, kind, attributes, links);
    return wanted.getDecision() != SamplingDecision.RECORD_AND_SAMPLE || take()
        ? wanted
        : SamplingResult.drop();
  }

  private synchronized boolean take() {
    long now = nanoTime.getAsLong();
    left = Math.min(perSecond, left + (now - then) / NANOS * perSecond);
    then = now;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }

  @Override
  public String getDescription() {
    return "TraceLimit{" + first.getDescription() + "," + perSecond + "}";
  }
}
