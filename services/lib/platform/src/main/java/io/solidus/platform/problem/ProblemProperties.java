package io.solidus.platform.problem;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of requests' bodies.
 *
 * @param bodyLimit the longest accepted body
 * @param bodyDeadline for the whole body, from its first byte that is read; a body is refused
 *     between one and two times that long, or a timeout of the connection later
 * @param bodyLimitExempt path prefixes whose handlers limit their bodies themselves
 */
@ConfigurationProperties("solidus.http")
public record ProblemProperties(
    @DefaultValue("64KB") DataSize bodyLimit,
    @DefaultValue("20s") Duration bodyDeadline,
    @DefaultValue List<String> bodyLimitExempt) {}
