package io.solidus.platform.grpc;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How a service calls others.
 *
 * @param sslBundle the Spring SSL bundle of outgoing calls; empty means plaintext, which only
 *     loopback addresses may use
 * @param allowPlaintext lets other addresses use plaintext too, for a network that encrypts by
 *     itself
 * @param deadline of calls that set none
 * @param maxReply the longest reply taken in
 */
@ConfigurationProperties("solidus.grpc")
public record GrpcProperties(
    @DefaultValue("") String sslBundle,
    @DefaultValue("false") boolean allowPlaintext,
    @DefaultValue("10s") Duration deadline,
    @DefaultValue("1MB") DataSize maxReply) {}
