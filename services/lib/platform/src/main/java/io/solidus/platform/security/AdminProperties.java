package io.solidus.platform.security;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The listener of the admin API. It has the address, the certificates and the limits of the
 * service's other listener.
 *
 * @param port 0: any free one; null: the service has no admin API
 */
@ConfigurationProperties("solidus.admin")
public record AdminProperties(@Nullable Integer port) {}
