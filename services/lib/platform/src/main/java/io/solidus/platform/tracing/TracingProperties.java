package io.solidus.platform.tracing;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Traces of this process.
 *
 * @param endpoint where spans go, by OTLP over HTTP ("https://collector:4318/v1/traces"); empty for
 *     no tracing at all
 * @param sslBundle the Spring SSL bundle of these calls; empty for what the runtime trusts
 * @param allowPlaintext lets http be used to other addresses than loopback, in a network that
 *     encrypts by itself
 * @param ratio of requests that begin a trace, at a service that wallets or operators call
 * @param maxPerSecond traces that may enter this process a second, begun here or by a caller
 * @param authority says which validator authority this process is of; empty for none
 * @param shard says which shard this process is; empty for none
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
