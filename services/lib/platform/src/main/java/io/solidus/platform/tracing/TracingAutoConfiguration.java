package io.solidus.platform.tracing;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Trace ids for every service, and traces if {@code solidus.tracing.endpoint} is set. The
 * observations of the frameworks are not used, because they record paths and callers' addresses and
 * continue any trace that a caller names.
 */
@AutoConfiguration(
    beforeName = "io.solidus.platform.grpc.GrpcAutoConfiguration",
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@EnableConfigurationProperties(TracingProperties.class)
class TracingAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  Spans spans(ObjectProvider<SdkTracerProvider> provider) {
    SdkTracerProvider on = provider.getIfAvailable();
    return on == null ? Spans.none() : new Spans(on);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class Rest {
    /** The filter runs before everything else, so that every refusal carries an id. */
    @Bean
    FilterRegistrationBean<TraceFilter> traceFilter(Spans spans) {
      FilterRegistrationBean<TraceFilter> registration =
          new FilterRegistrationBean<>(new TraceFilter(spans));
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
      return registration;
    }
  }

  /** Matches an endpoint that is not empty. */
  static final class EndpointGiven implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !context.getEnvironment().getProperty("solidus.tracing.endpoint", "").isBlank();
    }
  }

  /**
   * Tracing to a collector. The queue, the batch and the time of an export are bounded. Spans
   * beyond these bounds are lost.
   */
  @Configuration(proxyBeanMethods = false)
  @Conditional(EndpointGiven.class)
  static class On {
    private static final int QUEUE = 2048;
    private static final int BATCH = 256;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration EXPORT_LIMIT = Duration.ofSeconds(10);
    private static final int MAX_ATTRIBUTES_AND_LINKS = 32;

    @Bean
    @ConditionalOnMissingBean
    SpanExporter spanExporter(TracingProperties properties, ObjectProvider<SslBundles> bundles) {
      String bundle = properties.sslBundle();
      return OtlpExporter.to(
          properties, bundle.isEmpty() ? null : bundles.getObject().getBundle(bundle));
    }

    /** Closing the provider exports the waiting spans. */
    @Bean(destroyMethod = "close")
    SdkTracerProvider tracerProvider(
        SpanExporter exporter,
        TracingProperties properties,
        MeterRegistry metrics,
        Environment environment) {
      return SdkTracerProvider.builder()
          .setIdGenerator(new RandomIds())
          .setSampler(sampler(properties))
          .setResource(source(properties, environment.getProperty("spring.application.name", "")))
          .setSpanLimits(
              SpanLimits.builder()
                  .setMaxNumberOfAttributes(MAX_ATTRIBUTES_AND_LINKS)
                  .setMaxNumberOfEvents(1)
                  .setMaxNumberOfLinks(MAX_ATTRIBUTES_AND_LINKS)
                  .build())
          .addSpanProcessor(
              BatchSpanProcessor.builder(new AllowListExporter(exporter, metrics))
                  .setMaxQueueSize(QUEUE)
                  .setMaxExportBatchSize(BATCH)
                  .setScheduleDelay(PAUSE)
                  .setExporterTimeout(EXPORT_LIMIT)
                  .build())
          .build();
    }

    private static Sampler sampler(TracingProperties properties) {
      return Sampler.parentBasedBuilder(
              new TraceLimit(
                  Sampler.traceIdRatioBased(properties.ratio()),
                  properties.maxPerSecond(),
                  System::nanoTime))
          .setRemoteParentSampled(
              new TraceLimit(Sampler.alwaysOn(), properties.maxPerSecond(), System::nanoTime))
          .build();
    }

    private static Resource source(TracingProperties properties, String service) {
      AttributesBuilder source = Attributes.builder().put(SpanAttribute.SERVICE.key(), service);
      if (!properties.authority().isEmpty()) {
        source.put(SpanAttribute.AUTHORITY.key(), properties.authority());
      }
      if (!properties.shard().isEmpty()) {
        source.put(SpanAttribute.SHARD.key(), properties.shard());
      }
      return Resource.create(source.build());
    }
  }
}
