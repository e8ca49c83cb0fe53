package io.solidus.platform.http;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/** HTTP clients for the REST interfaces of other services. */
@AutoConfiguration
@EnableConfigurationProperties(HttpClientProperties.class)
class HttpClientAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  HttpClients httpClients(HttpClientProperties properties, ObjectProvider<SslBundles> bundles) {
    String bundle = properties.sslBundle();
    return new HttpClients(bundle.isEmpty() ? null : bundles.getObject().getBundle(bundle));
  }
}
