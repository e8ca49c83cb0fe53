package io.solidus.platform.problem;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** Problem documents and body limits of a REST service. */
@AutoConfiguration(before = ErrorMvcAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(ProblemProperties.class)
public class ProblemAutoConfiguration {
  @Bean
  ProblemAdvice problemAdvice() {
    return new ProblemAdvice();
  }

  @Bean
  ProblemErrorController problemErrorController() {
    return new ProblemErrorController();
  }

  @Bean
  @ConditionalOnClass(TomcatServletWebServerFactory.class)
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemReports() {
    return factory ->
        factory.addContextCustomizers(context -> {
          if (context.getParent() instanceof StandardHost host) {
            host.setErrorReportValveClass(ProblemReportValve.class.getName());
          }
        });
  }

  @Bean
  FilterRegistrationBean<BodyLimitFilter> bodyLimitFilter(
      ProblemProperties properties, JsonMapper json) {
    FilterRegistrationBean<BodyLimitFilter> registration =
        new FilterRegistrationBean<>(
            new BodyLimitFilter(
                properties.bodyLimit().toBytes(),
                properties.bodyDeadline(),
                properties.bodyLimitExempt(),
                json));
    // after the trace id and the origins of browsers, before security
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 3);
    return registration;
  }
}
