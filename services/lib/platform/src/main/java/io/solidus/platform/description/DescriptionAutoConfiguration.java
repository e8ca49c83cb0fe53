package io.solidus.platform.description;

import io.solidus.platform.problem.Problem;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Member;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.util.AnnotationsUtils;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.JsonSchema;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.ParameterCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.JsonNode;

/** Makes a service's OpenAPI document say what its calls take, answer and refuse. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(OpenApiCustomizer.class)
class DescriptionAutoConfiguration {
  // any JSON value; the library would describe the methods of the class
  static {
    SpringDocUtils.getConfig().replaceWithSchema(JsonNode.class, new JsonSchema());
  }

  /** Comes first: a converter that is registered later is asked earlier. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  ModelResolver apiSchemaResolver() {
    return new ModelResolver(Json31.mapper(), SchemaNames.INSTANCE).openapi31(true);
  }

  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  RecordSchemas apiRecordSchemas() {
    return new RecordSchemas();
  }

  @Bean
  Refusals apiRefusals() {
    return new Refusals();
  }

  /** Says of parameters what {@link Member} says. */
  @Bean
  ParameterCustomizer apiParameters() {
    return (parameter, method) -> {
      Member member = method.getParameterAnnotation(Member.class);
      if (member != null && parameter != null && parameter.getSchema() != null) {
        parameter.setSchema(AnnotationsUtils.clone(parameter.getSchema(), true));
        RecordSchemas.limit(parameter.getSchema(), member);
      }
      return parameter;
    };
  }

  @Bean
  OpenApiCustomizer apiProblem() {
    return DescriptionAutoConfiguration::addProblem;
  }

  /** Comes last: it reads what the others have written. */
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE)
  Examples apiExamples() {
    return new Examples();
  }

  private static void addProblem(OpenAPI api) {
    if (api.getComponents() == null) {
      api.setComponents(new Components());
    }
    ModelConverters.getInstance(true)
        .readAll(new AnnotatedType(Problem.class))
        .forEach((name, schema) -> {
          schema.setExample(
              Problem.of(RejectionCode.OVERLOADED, "the gateway is busy; try again shortly", null));
          api.getComponents().addSchemas(name, schema);
        });
  }
}
