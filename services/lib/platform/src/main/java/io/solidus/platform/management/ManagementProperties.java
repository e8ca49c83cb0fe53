package io.solidus.platform.management;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of Spring Boot's management server, for services without a web server.
 *
 * @param address null: every interface
 * @param port 0: any free one
 */
@ConfigurationProperties("management.server")
record ManagementProperties(@Nullable InetAddress address, int port) {}
