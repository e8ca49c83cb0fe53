package io.solidus.platform.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceLimitTest {
  private static final long SECOND = 1_000_000_000L;
  private final AtomicLong now = new AtomicLong();

  @Test
  void recordsAtMostItsRate() {
    TraceLimit limit = new TraceLimit(Sampler.alwaysOn(), 5, now::get);
    assertThat(recorded(limit, 100)).isEqualTo(5);
    now.addAndGet(SECOND / 5);
    assertThat(recorded(limit, 100)).isEqualTo(1);
    now.addAndGet(100 * SECOND);
    assertThat(recorded(limit, 100))
        .as("no more than one second's traces are saved up")
        .isEqualTo(5);
  }

  @Test
  void unsampledTracesDoNotCount() {
    TraceLimit limit = new TraceLimit(Sampler.alwaysOff(), 5, now::get);
    assertThat(recorded(limit, 100)).isZero();
  }

  private static long recorded(Sampler sampler, int times) {
    return IntStream.range(0, times)
        .mapToObj(i ->
            sampler.shouldSample(
                Context.root(),
                Trace.newTraceId(),
                "http",
                SpanKind.SERVER,
                Attributes.empty(),
                List.of()))
        .filter(result -> result.getDecision() == SamplingDecision.RECORD_AND_SAMPLE)
        .count();
  }
}
