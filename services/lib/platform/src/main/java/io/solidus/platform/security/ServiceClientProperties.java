package io.solidus.platform.security;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How this service gets its own access tokens: OAuth 2 client credentials.
 *
 * @param id the client id; empty when the service calls none that asks for a token
 * @param secretFile the client's secret, read for every token because it is renewed
 * @param tokenUrl the token endpoint; empty for the one of {@code solidus.security.jwt.issuer-uri}
 * @param parameters of a token request besides the grant, such as {@code scope} for Entra
 * @param timeout of a token request
 */
@ConfigurationProperties("solidus.service-client")
public record ServiceClientProperties(
    @DefaultValue("") String id,
    @Nullable Path secretFile,
    @DefaultValue("") String tokenUrl,
    @DefaultValue Map<String, String> parameters,
    @DefaultValue("3s") Duration timeout) {

  public ServiceClientProperties {
    parameters = Map.copyOf(parameters);
  }
}
