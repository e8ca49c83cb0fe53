package io.solidus.platform.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowListExporterTest {
  private static final String SERIAL =
      "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .setResource(
              Resource.create(
                  Attributes.of(
                      AttributeKey.stringKey("host.name"),
                      "node-7",
                      SpanAttribute.SERVICE.key(),
                      "solidus-gateway")))
          .addSpanProcessor(SimpleSpanProcessor.create(new AllowListExporter(exported, metrics)))
          .build();

  @Test
  void dropsEverythingThatIsNotOnTheList() {
    Span span =
        provider
            .get(Spans.SCOPE)
            .spanBuilder("pay " + SERIAL)
            .setParent(state())
            .addLink(linked(), secret())
            .startSpan();
    span.setAttribute("serial", SERIAL);
    span.setAttribute("solidus.batch.size", 7L);
    span.setAttribute(SpanAttribute.KIND.key(), "transfer");
    span.recordException(new IllegalStateException(SERIAL));
    span.setStatus(StatusCode.ERROR, SERIAL);
    span.end();

    SpanData seen = only();
    assertThat(seen.getName()).isEqualTo("other");
    assertThat(seen.getAttributes()).isEqualTo(Attributes.of(SpanAttribute.KIND.key(), "transfer"));
    assertThat(seen.getResource().getAttributes())
        .isEqualTo(Attributes.of(SpanAttribute.SERVICE.key(), "solidus-gateway"));
    assertThat(seen.getEvents()).isEmpty();
    assertThat(seen.getStatus().getDescription()).isEmpty();
    assertThat(seen.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(seen.getLinks())
        .singleElement()
        .satisfies(link -> assertThat(link.getAttributes().isEmpty()).isTrue());
    assertThat(seen.getSpanContext().getTraceState().isEmpty()).isTrue();
    assertThat(seen.getParentSpanContext().getTraceState().isEmpty()).isTrue();
    assertThat(metrics.counter("solidus.tracing.attributes.dropped").count())
        .isGreaterThanOrEqualTo(4);
  }

  @Test
  void dropsSpansOfOtherLibraries() {
    provider.get("some.http.client").spanBuilder("http").startSpan().end();
    assertThat(exported.getFinishedSpanItems()).isEmpty();
    assertThat(metrics.counter("solidus.tracing.spans", "outcome", "foreign").count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "ROUTE, /v1/transfers, true",
    "ROUTE, /v1/transfers/{core}, true",
    "ROUTE, /v1/transfers/" + SERIAL + ", false",
    "ROUTE, /v1/transfers?lead=abc, false",
    "AUTHORITY, 10, true",
    "AUTHORITY, 203.0.113.77, false",
    "SHARD, 12345, false",
    "SIZE, 256, true",
    "SIZE, 100000, false",
    "KIND, transfer, true",
    "KIND, sld1qqqqqqqqqqqqqqqqqqqqqqqq, false",
    "OUTCOME, serial-conflict, true",
    "OUTCOME, DEADLINE_EXCEEDED, true",
    "OUTCOME, " + SERIAL + ", false",
    "METHOD, POST, true",
    "METHOD, " + SERIAL + ", false",
    "STATUS, 200, true"
  })
  void exportsOnlyValuesOfTheAttributesFormat(
      SpanAttribute attribute, String value, boolean allowed) {
    provider
        .get(Spans.SCOPE)
        .spanBuilder("http")
        .setAttribute(attribute.key(), value)
        .startSpan()
        .end();
    assertThat(only().getAttributes().get(attribute.key())).isEqualTo(allowed ? value : null);
  }

  private SpanData only() {
    List<SpanData> all = exported.getFinishedSpanItems();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private static Context state() {
    TraceState state = TraceState.builder().put("vendor", SERIAL).build();
    return Context.root()
        .with(
            Span.wrap(
                SpanContext.createFromRemoteParent(
                    Trace.newTraceId(), Trace.newSpanId(), TraceFlags.getSampled(), state)));
  }

  private static SpanContext linked() {
    return SpanContext.create(
        Trace.newTraceId(), Trace.newSpanId(), TraceFlags.getSampled(), TraceState.getDefault());
  }

  private static Attributes secret() {
    return Attributes.of(AttributeKey.stringKey("serial"), SERIAL);
  }
}
