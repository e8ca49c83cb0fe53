package io.solidus.platform.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class TracingAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(TracingAutoConfiguration.class))
          .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

  @Test
  void offUnlessAnEndpointIsGiven() {
    runner.run(context -> {
      assertThat(context)
          .doesNotHaveBean(SdkTracerProvider.class)
          .doesNotHaveBean(SpanExporter.class);
      assertThat(context.getBean(Spans.class).root().getSpanContext().isValid()).isFalse();
    });
    runner
        .withPropertyValues("solidus.tracing.endpoint=")
        .run(context -> assertThat(context).doesNotHaveBean(SdkTracerProvider.class));
  }

  @Test
  void plaintextIsForLoopbackOnly() {
    runner
        .withPropertyValues("solidus.tracing.endpoint=http://collector:4318/v1/traces")
        .run(context ->
            assertThat(context.getStartupFailure())
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .rootCause()
                .hasMessageContaining("https"));
    for (String allowed :
        new String[] {"http://127.0.0.1:1/v1/traces", "https://collector:4318/v1/traces"}) {
      runner
          .withPropertyValues("solidus.tracing.endpoint=" + allowed)
          .run(context -> assertThat(context).hasSingleBean(SdkTracerProvider.class));
    }
  }

  @Test
  void recordsByRatioAndAtMostItsLimit() {
    ApplicationContextRunner on =
        runner
            .withBean(SpanExporter.class, InMemorySpanExporter::create)
            .withPropertyValues("solidus.tracing.endpoint=http://127.0.0.1:1/v1/traces");
    on.withPropertyValues("solidus.tracing.ratio=0")
        .run(context -> assertThat(recorded(context.getBean(Spans.class))).isZero());
    on.withPropertyValues("solidus.tracing.ratio=1", "solidus.tracing.max-per-second=7")
        .run(context -> assertThat(recorded(context.getBean(Spans.class))).isBetween(7L, 999L));
    on.withPropertyValues("solidus.tracing.max-per-second=0")
        .run(context -> assertThat(context).hasFailed());
    on.withPropertyValues("solidus.tracing.ratio=1.5")
        .run(context -> assertThat(context).hasFailed());
  }

  private static long recorded(Spans spans) {
    return Stream.generate(spans::root).limit(1000).filter(Span::isRecording).count();
  }
}
