package io.solidus.platform.security;

import io.solidus.platform.bank.BankScope;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Says in a service's API description that every admin operation needs a bearer token. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(OpenApiCustomizer.class)
@ConditionalOnProperty("solidus.admin.port")
class AdminDescriptionAutoConfiguration {
  private static final String SCHEME = "bearer";

  @Bean
  OpenApiCustomizer adminDescription() {
    // the caller's bank comes from her token
    SpringDocUtils.getConfig().addRequestWrapperToIgnore(BankScope.class);
    return AdminDescriptionAutoConfiguration::describe;
  }

  private static void describe(OpenAPI api) {
    if (api.getComponents() == null) {
      api.setComponents(new Components());
    }
    api.getComponents()
        .addSecuritySchemes(
            SCHEME,
            new SecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme("bearer")
                .bearerFormat("JWT"));
    api.getPaths()
        .forEach((path, item) -> {
          if (path.startsWith("/admin/")) {
            item.readOperations()
                .forEach(operation ->
                    operation.setSecurity(List.of(new SecurityRequirement().addList(SCHEME))));
          }
        });
  }
}
