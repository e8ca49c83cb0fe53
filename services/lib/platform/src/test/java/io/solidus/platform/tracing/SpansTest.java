package io.solidus.platform.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.solidus.platform.tracing.Spans.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class SpansTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final InMemorySpanExporter finished = InMemorySpanExporter.create();
  private final Spans spans =
      new Spans(
          SdkTracerProvider.builder()
              .addSpanProcessor(SimpleSpanProcessor.create(finished))
              .build());

  @Test
  void batchIsPartOfTheFirstTracedRequestAndLinkedWithTheOthers() {
    Place untraced = new Place(Context.root());
    Place first = traced(true);
    Place second = traced(true);
    Place unsampled = traced(false);
    List<String> seen = new ArrayList<>();
    spans.batch(
        "transfer",
        List.of(untraced, first, unsampled, second),
        () -> seen.add(Span.current().getSpanContext().getTraceId()));

    SpanData batch = only();
    assertThat(batch.getTraceId()).isEqualTo(trace(first)).isEqualTo(seen.getFirst());
    assertThat(batch.getLinks())
        .singleElement()
        .satisfies(link -> assertThat(link.getSpanContext().getTraceId()).isEqualTo(trace(second)));
    assertThat(batch.getAttributes().get(SpanAttribute.SIZE.key())).isEqualTo("4");
    assertThat(batch.getAttributes().get(SpanAttribute.KIND.key())).isEqualTo("transfer");
  }

  @Test
  void linksAreBounded() {
    spans.batch("transfer", Stream.generate(() -> traced(true)).limit(256).toList(), () -> {});
    assertThat(only().getLinks()).hasSize(32);
  }

  @Test
  void withoutATraceWorkRunsUnrecorded() {
    List<String> done = new ArrayList<>();
    spans.batch("mint", List.of(traced(false), new Place(Context.root())), () -> done.add("batch"));
    done.add(spans.stage("check", () -> "stage"));
    done.add(spans.authority(3, () -> "authority"));
    assertThat(done).containsExactly("batch", "stage", "authority");
    assertThat(finished.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void aFailureMarksTheSpanWithoutItsText() {
    Runnable failing =
        () -> {
          throw new IllegalStateException("secret");
        };
    assertThatThrownBy(() -> spans.batch("transfer", List.of(traced(true)), failing))
        .isInstanceOf(IllegalStateException.class);
    assertThat(only().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(only().getEvents()).isEmpty();
    assertThat(only().getStatus().getDescription()).isEmpty();
  }

  @Test
  void callsCarryTheRecordedSpanOrElseTheTraceId() {
    assertThat(Trace.parent()).isEmpty();
    MDC.put(Trace.MDC_KEY, "0af7651916cd43dd8448eb211c80319c");
    try (Scope scope = Context.root().with(Span.wrap(Trace.parse(PARENT))).makeCurrent()) {
      assertThat(Trace.parent()).contains(PARENT);
    } finally {
      assertThat(Trace.parent().orElseThrow())
          .startsWith("00-0af7651916cd43dd8448eb211c80319c-")
          .endsWith("-00");
      MDC.remove(Trace.MDC_KEY);
    }
  }

  @Test
  void malformedParentsAreIgnored() {
    for (String parent :
        List.of(
            "",
            "00",
            PARENT + "x",
            PARENT.toUpperCase(Locale.ROOT),
            "01" + PARENT.substring(2),
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01")) {
      assertThat(Trace.parse(parent).isValid()).as(parent).isFalse();
    }
    assertThat(Trace.parse(PARENT).isRemote()).isTrue();
  }

  private SpanData only() {
    assertThat(finished.getFinishedSpanItems()).hasSize(1);
    return finished.getFinishedSpanItems().getFirst();
  }

  private static String trace(Place place) {
    return Span.fromContext(place.context()).getSpanContext().getTraceId();
  }

  private static Place traced(boolean sampled) {
    TraceFlags flags = sampled ? TraceFlags.getSampled() : TraceFlags.getDefault();
    SpanContext context =
        SpanContext.create(Trace.newTraceId(), Trace.newSpanId(), flags, TraceState.getDefault());
    return new Place(Context.root().with(Span.wrap(context)));
  }
}
