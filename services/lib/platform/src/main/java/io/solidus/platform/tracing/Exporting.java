package io.solidus.platform.tracing;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.solidus.platform.tls.X509Managers;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** The way to the collector. */
final class Exporting {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private Exporting() {}

  /**
   * @param tls certificates of both sides; null for what the runtime trusts
   * @throws IllegalStateException for plaintext to an address that is not loopback
   */
  static SpanExporter to(TracingProperties properties, @Nullable SslBundle tls) {
    URI endpoint = URI.create(properties.endpoint());
    boolean plaintext = !"https".equals(endpoint.getScheme());
    if (plaintext
        && !properties.allowPlaintext()
        && !LOOPBACK.contains(String.valueOf(endpoint.getHost()))) {
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
