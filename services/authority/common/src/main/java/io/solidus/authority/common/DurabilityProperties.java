package io.solidus.authority.common;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What the authority's configuration demands of its database; the same for its shards and its
 * signer.
 *
 * @param synchronousStandbys on how many standbys a commit must be before anything leaves on the
 *     strength of it; 0 for a database without standbys
 * @param durabilityRecheck how long a session's settings are taken to be as they were
 */
@Validated
@ConfigurationProperties("solidus.validator")
public record DurabilityProperties(
    @Min(0) @Max(16) @DefaultValue("0") int synchronousStandbys,
    @NotNull @DefaultValue("5s") Duration durabilityRecheck) {}
