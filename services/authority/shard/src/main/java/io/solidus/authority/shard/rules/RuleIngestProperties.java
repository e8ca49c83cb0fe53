package io.solidus.authority.shard.rules;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How rules reach a shard.
 *
 * @param sanctionsUrl of the sanctions service, polled besides Kafka; sanction lists come only from
 *     there, so without it no checkpoint is accepted
 * @param pullInterval between two polls
 * @param kafka whether to listen to the topics
 */
@ConfigurationProperties("solidus.validator")
public record RuleIngestProperties(
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
