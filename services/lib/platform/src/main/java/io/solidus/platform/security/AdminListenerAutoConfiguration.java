package io.solidus.platform.security;

import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** The port of the admin API, for services that have one. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("solidus.admin.port")
@EnableConfigurationProperties(AdminProperties.class)
class AdminListenerAutoConfiguration {
  @Bean
  AdminListener adminListener(AdminProperties properties, ObjectProvider<SslBundles> bundles) {
    return new AdminListener(
        Objects.requireNonNull(properties.port(), "solidus.admin.port"), bundles);
  }

  @Bean
  FilterRegistrationBean<AdminDoor> adminDoor(AdminListener listener, JsonMapper json) {
    FilterRegistrationBean<AdminDoor> registration =
        new FilterRegistrationBean<>(new AdminDoor(listener, json));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1); // after the trace id, before security
    return registration;
  }
}
