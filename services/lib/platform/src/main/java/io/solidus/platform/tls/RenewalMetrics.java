package io.solidus.platform.tls;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Metrics of renewals. Spring's own {@code ssl.chain.expiry}, which reads the same bundles, has the
 * expiry of the certificates in use.
 */
final class RenewalMetrics {
  private RenewalMetrics() {}

  static void bind(RenewingBundles bundles, MeterRegistry registry) {
    bundles.all().forEach((name, bundle) -> bind(name, bundle, registry));
  }

  private static void bind(String name, RenewingBundle bundle, MeterRegistry registry) {
    FunctionCounter.builder("solidus.tls.renewals", bundle, RenewingBundle::taken)
        .description("renewed TLS bundles by outcome")
        .tags("bundle", name, "outcome", "taken")
        .register(registry);
    FunctionCounter.builder("solidus.tls.renewals", bundle, RenewingBundle::refused)
        .description("renewed TLS bundles by outcome")
        .tags("bundle", name, "outcome", "refused")
        .register(registry);
    Gauge.builder("solidus.tls.stale.status", bundle, known -> known.isStale() ? 1 : 0)
        .description(
            "1 while the newest renewal was refused and the certificate before it is in use")
        .tag("bundle", name)
        .register(registry);
  }
}
