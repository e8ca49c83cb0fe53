package io.solidus.operator.registration;

import io.solidus.platform.boot.ServiceLauncher;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeIn;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Registration of persons. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(RegistrationProperties.class)
@OpenAPIDefinition(
    info =
        @Info(
            title = "Solidus registration",
            version = "v1",
            description = "Persons register once; operators decide."))
@SecurityScheme(
    name = RegistrationApplication.CASE_TOKEN,
    description = "The access token of a case, which the wallet got for its registration",
    type = SecuritySchemeType.APIKEY,
    in = SecuritySchemeIn.HEADER,
    paramName = "X-Case-Token")
public class RegistrationApplication {
  /** The security scheme of an applicant's calls. */
  public static final String CASE_TOKEN = "caseToken";

  private static final String SERVICE = "registration";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the service. {@code properties} override {@code args}, and both override
   * solidus-registration.yml.
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(RegistrationApplication.class, SERVICE, properties, args);
  }
}
