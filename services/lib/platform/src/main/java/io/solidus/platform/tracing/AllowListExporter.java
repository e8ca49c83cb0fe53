package io.solidus.platform.tracing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Exports only attributes that {@link SpanAttribute} lists, and no spans of other libraries. */
final class AllowListExporter implements SpanExporter {
  private final SpanExporter next;
  private final Counter exported;
  private final Counter failed;
  private final Counter foreign;
  private final Counter dropped;

  AllowListExporter(SpanExporter next, MeterRegistry metrics) {
    this.next = next;
    this.exported = spans(metrics, "exported");
    this.failed = spans(metrics, "failed");
    this.foreign = spans(metrics, "foreign");
    this.dropped =
        Counter.builder("solidus.tracing.attributes.dropped")
            .description("attributes and events that are not on the allow-list")
            .register(metrics);
  }

  private static Counter spans(MeterRegistry metrics, String outcome) {
    return Counter.builder("solidus.tracing.spans")
        .description(
            "spans by outcome: exported, failed to export, or not started by this platform")
        .tag("outcome", outcome)
        .register(metrics);
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    List<SpanData> allowed = new ArrayList<>(spans.size());
    for (SpanData span : spans) {
      if (span.getInstrumentationScopeInfo().getName().equals(Spans.SCOPE)) {
        AllowedSpan reduced = new AllowedSpan(span);
        dropped.increment(reduced.dropped());
        allowed.add(reduced);
      } else {
        foreign.increment();
      }
    }
    if (allowed.isEmpty()) {
      return CompletableResultCode.ofSuccess();
    }
    CompletableResultCode result = next.export(allowed);
    result.whenComplete(() -> (result.isSuccess() ? exported : failed).increment(allowed.size()));
    return result;
  }

  @Override
  public CompletableResultCode flush() {
    return next.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return next.shutdown();
  }
}
