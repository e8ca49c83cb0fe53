package io.solidus.platform.notes;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The configured note keys. */
@AutoConfiguration
@EnableConfigurationProperties(TrustProperties.class)
public class NotesAutoConfiguration {
  @Bean
  NoteTrust noteTrust(TrustProperties properties) {
    return new NoteTrust(properties);
  }
}
