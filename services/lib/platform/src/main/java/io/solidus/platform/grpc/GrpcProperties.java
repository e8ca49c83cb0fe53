package io.solidus.platform.grpc;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Calls of other services over gRPC.
 *
 * @param sslBundle the Spring SSL bundle of outgoing calls; empty means plaintext, which is for
 *     loopback addresses only
 * @param allowPlaintext permits plaintext to other addresses too, in a network that encrypts by
 *     itself
 * @param deadline of calls without one
 * @param maxReply the longest accepted reply. The longest that is correct has 1.3 MB: states of
 *     coins with 32 requests of family 8, in a committee of 100.
 */
@ConfigurationProperties("solidus.grpc")
public record GrpcProperties(
    @DefaultValue("") String sslBundle,
    @DefaultValue("false") boolean allowPlaintext,
    @DefaultValue("10s") Duration deadline,
    @DefaultValue("2MB") DataSize maxReply) {}
