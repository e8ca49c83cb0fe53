package io.solidus.platform.tracing;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Tracing of this process.
 *
 * @param endpoint of the collector, OTLP over HTTP ("https://collector:4318/v1/traces"); empty
 *     switches tracing off
 * @param sslBundle the Spring SSL bundle of these calls; empty for the trust of the Java runtime
 * @param allowPlaintext permits http to other addresses than loopback, in a network that encrypts
 *     by itself
 * @param ratio of requests that start a trace, at a service that wallets or operators call
 * @param maxPerSecond the largest number of traces a second in this process, started here or by a
 *     caller
 * @param authority the validator authority of this process; empty for none
 * @param shard the shard of this process; empty for none
 */
@Validated
@ConfigurationProperties("solidus.tracing")
public record TracingProperties(
    @DefaultValue("") String endpoint,
    @DefaultValue("") String sslBundle,
    @DefaultValue("false") boolean allowPlaintext,
    @DecimalMin("0.0") @DecimalMax("1.0") @DefaultValue("0.01") double ratio,
    @Min(1) @Max(1000) @DefaultValue("20") int maxPerSecond,
    @DefaultValue("") String authority,
    @DefaultValue("") String shard) {}
