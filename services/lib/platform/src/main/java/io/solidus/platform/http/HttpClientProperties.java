package io.solidus.platform.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How a service calls others over HTTPS.
 *
 * @param sslBundle the Spring SSL bundle of these calls: whom to trust, and the certificate to show
 *     where one is asked for; empty for what the Java runtime trusts
 */
@ConfigurationProperties("solidus.http-client")
public record HttpClientProperties(@DefaultValue("") String sslBundle) {}
