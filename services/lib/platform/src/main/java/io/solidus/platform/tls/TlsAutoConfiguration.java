package io.solidus.platform.tls;

import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.autoconfigure.ssl.SslProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/**
 * Replaces Spring's registry of TLS bundles, which takes every renewal, even with a key that does
 * not match its certificate.
 */
@AutoConfiguration(before = SslAutoConfiguration.class)
@EnableConfigurationProperties(SslProperties.class)
class TlsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean({SslBundleRegistry.class, SslBundles.class})
  RenewingBundles renewingBundles(
      ObjectProvider<SslBundleRegistrar> registrars,
      SslProperties properties,
      ObjectProvider<Clock> clock) {
    CertificateFiles files = new CertificateFiles(properties.getBundle().getPem());
    RenewingBundles bundles = new RenewingBundles(clock.getIfAvailable(Clock::systemUTC), files);
    registrars.orderedStream().forEach(registrar -> registrar.registerBundles(bundles));
    return bundles;
  }

  @Bean
  MeterBinder renewalMeters(ObjectProvider<RenewingBundles> bundles) {
    return registry -> bundles.ifAvailable(known -> RenewalMetrics.bind(known, registry));
  }
}
