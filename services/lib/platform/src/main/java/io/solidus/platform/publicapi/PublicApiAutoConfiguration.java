package io.solidus.platform.publicapi;

import io.solidus.platform.http.RequestPath;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.filter.CorsFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lets pages of the configured origins call the public API, and tells wallets when its version
 * ends. Paths outside /v1, the admin API among them, are for no page of another origin.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(PublicApiProperties.class)
class PublicApiAutoConfiguration {
  private static final String PATHS = "/" + PublicApiProperties.VERSION + "/";

  /** As long as browsers keep a preflight's answer. */
  private static final Duration PREFLIGHT_KEPT = Duration.ofHours(2);

  private static final List<String> METHODS = List.of("GET", "HEAD", "POST");

  /** Headers of requests that no browser sends to another origin without leave. */
  private static final List<String> ASKED =
      List.of(
          "Authorization", // blind tokens
          "Content-Type",
          "Idempotency-Key",
          "If-None-Match",
          "If-Range",
          "Last-Event-ID",
          "Range",
          "X-Case-Token");

  /** Headers of answers that no page of another origin reads without leave. */
  private static final List<String> ANSWERED =
      List.of(
          "Accept-Ranges",
          "Content-Range",
          "Deprecation",
          "ETag",
          "Link",
          "Retry-After",
          "Sunset",
          "X-Trace-Id");

  @Bean
  FilterRegistrationBean<CorsFilter> publicApiOrigins(
      PublicApiProperties properties, JsonMapper json) {
    CorsConfiguration leave = new CorsConfiguration();
    leave.setAllowedOrigins(properties.allowedOrigins());
    leave.setAllowedMethods(METHODS);
    leave.setAllowedHeaders(ASKED);
    leave.setExposedHeaders(ANSWERED);
    leave.setMaxAge(PREFLIGHT_KEPT);
    CorsFilter filter = new CorsFilter(request -> isPublic(request) ? leave : null);
    filter.setCorsProcessor(new ProblemCorsProcessor(json));
    FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(filter);
    registration.setEnabled(!properties.allowedOrigins().isEmpty());
    // after the door of the admin API, before the limits of bodies, whose refusals a page reads
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
    return registration;
  }

  private static boolean isPublic(HttpServletRequest request) {
    return RequestPath.decoded(request).startsWith(PATHS);
  }

  @Bean
  FilterRegistrationBean<DeprecationFilter> publicApiDeprecation(PublicApiProperties properties) {
    FilterRegistrationBean<DeprecationFilter> registration =
        new FilterRegistrationBean<>(new DeprecationFilter(properties));
    registration.addUrlPatterns("/" + PublicApiProperties.VERSION + "/*");
    registration.setEnabled(properties.deprecatedAt() != null);
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
    return registration;
  }
}
