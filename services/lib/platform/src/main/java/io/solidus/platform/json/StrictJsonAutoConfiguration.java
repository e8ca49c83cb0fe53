package io.solidus.platform.json;

import io.solidus.wire.json.WireJson;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import tools.jackson.core.StreamReadFeature;

/** Makes Spring's JSON mapper as strict as {@link WireJson}. */
@AutoConfiguration(before = JacksonAutoConfiguration.class)
@ConditionalOnClass(JsonMapperBuilderCustomizer.class)
public class StrictJsonAutoConfiguration {

  @Bean
  JsonFactoryBuilderCustomizer boundedJson() {
    return builder ->
        builder
            .streamReadConstraints(WireJson.factory().streamReadConstraints())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
  }

  @Bean
  JsonMapperBuilderCustomizer strictJson() {
    return WireJson::strict;
  }
}
