package io.solidus.platform.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Calls of other services over HTTPS.
 *
 * @param sslBundle the Spring SSL bundle of these calls: the trusted authorities, and the
 *     certificate for servers that require one; empty for the trust of the Java runtime
 */
@ConfigurationProperties("solidus.http-client")
public record HttpClientProperties(@DefaultValue("") String sslBundle) {}
