package io.solidus.platform.tracing;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.solidus.platform.tls.Loopback;
import io.solidus.platform.tls.X509Managers;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Makes the exporter to the collector, by OTLP over HTTP. */
final class OtlpExporter {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private OtlpExporter() {}

  /**
   * Makes an exporter.
   *
   * @param tls certificates of both sides; null for the trust of the Java runtime
   * @throws IllegalStateException for plaintext to an address that is not loopback
   */
  static SpanExporter to(TracingProperties properties, @Nullable SslBundle tls) {
    URI endpoint = URI.create(properties.endpoint());
    boolean plaintext = !"https".equals(endpoint.getScheme());
    if (plaintext && !properties.allowPlaintext() && !Loopback.contains(endpoint.getHost())) {
      throw new IllegalStateException(
          "spans go in plaintext to loopback addresses only; give solidus.tracing.endpoint as https");
    }
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(properties.endpoint())
            .setTimeout(TIMEOUT)
            .setCompression("gzip");
    if (tls != null) {
      exporter.setSslContext(tls.createSslContext(), X509Managers.trust(tls));
    }
    return exporter.build();
  }
}
