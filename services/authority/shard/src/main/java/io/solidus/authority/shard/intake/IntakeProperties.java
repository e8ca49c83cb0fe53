package io.solidus.authority.shard.intake;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How facts reach a shard.
 *
 * @param sanctionsUrl of the sanction service, asked beside Kafka; sanction lists are fetched from
 *     there, so that without it no checkpoint can be taken
 * @param pullInterval between two questions
 * @param kafka whether to listen to the topics
 */
@ConfigurationProperties("solidus.validator")
public record IntakeProperties(
    @Nullable URI sanctionsUrl,
    @DefaultValue("2s") Duration pullInterval,
    @DefaultValue("true") boolean kafka) {

  URI requireUrl() {
    if (sanctionsUrl == null) {
      throw new IllegalStateException("solidus.validator.sanctions-url is not configured");
    }
    return sanctionsUrl;
  }
}
