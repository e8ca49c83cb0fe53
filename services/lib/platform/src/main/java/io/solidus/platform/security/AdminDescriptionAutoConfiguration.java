package io.solidus.platform.security;

import io.solidus.platform.bank.BankScope;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.security.access.prepost.PreAuthorize;

/** Says in a service's API description that every admin operation needs a bearer token. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(OpenApiCustomizer.class)
@ConditionalOnProperty("solidus.admin.port")
class AdminDescriptionAutoConfiguration {
  private static final String SCHEME = "bearer";
  private static final String ROLES = "x-roles";
  private static final Pattern ROLE = Pattern.compile("'([a-z-]+)'");

  @Bean
  OpenApiCustomizer adminDescription() {
    // the caller's bank comes from her token
    SpringDocUtils.getConfig().addRequestWrapperToIgnore(BankScope.class);
    return AdminDescriptionAutoConfiguration::describe;
  }

  /**
   * Names the roles that may call an operation, because clients and the reference of the API read
   * them here.
   */
  @Bean
  OperationCustomizer adminRoles() {
    return (operation, handler) -> {
      PreAuthorize rule =
          AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), PreAuthorize.class);
      if (rule == null) {
        rule =
            AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), PreAuthorize.class);
      }
      if (rule != null) {
        operation.addExtension(
            ROLES, ROLE.matcher(rule.value()).results().map(role -> role.group(1)).toList());
      }
      return operation;
    };
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
            if (item.getGet() != null) {
              addAuditor(item.getGet());
            }
          }
        });
  }

  /** An auditor may read every admin route, whatever its own rule says ({@link AuditorReads}). */
  private static void addAuditor(Operation operation) {
    Object own = operation.getExtensions() == null ? null : operation.getExtensions().get(ROLES);
    Stream<String> roles =
        own instanceof List<?> list ? list.stream().map(String::valueOf) : Stream.empty();
    operation.addExtension(
        ROLES, Stream.concat(roles, Stream.of(Roles.AUDITOR)).distinct().toList());
  }
}
