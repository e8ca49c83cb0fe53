package io.solidus.edge.relay;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration of the relay ({@code solidus.relay.*}).
 *
 * @param target address of the gateway's route for relayed requests; there is one, so that a relay
 *     cannot be used to call anything else
 * @param tokenFile file of 32 bytes that the gateway knows this relay by
 * @param timeout of a call to the gateway, its whole answer included; a delegated proof takes up to
 *     45 seconds
 * @param maxConcurrent requests that are passed on at the same time, each with up to 4 MiB in
 *     memory twice; further ones are answered with status 429
 * @param perSecond requests of one IPv4 address or IPv6 network of 64 bits that are passed on in a
 *     second; a burst may take those of two seconds
 * @param doubtfulPerSecond the same for ten minutes after the gateway said that a request had
 *     evidence that does not verify, which no correct wallet sends
 */
@Validated
@ConfigurationProperties("solidus.relay")
public record RelayProperties(
    @NotNull URI target,
    @NotNull Path tokenFile,
    @NotNull @DefaultValue("60s") Duration timeout,
    @DefaultValue("64") @Min(1) @Max(100_000) int maxConcurrent,
    @DefaultValue("20") @Min(1) @Max(100_000) int perSecond,
    @DefaultValue("1") @Min(1) @Max(100_000) int doubtfulPerSecond) {
  public RelayProperties {
    if (target.getHost() == null || !(isHttp(target, "https") || isHttp(target, "http"))) {
      throw new IllegalArgumentException("solidus.relay.target: an address of a gateway");
    }
  }

  private static boolean isHttp(URI address, String scheme) {
    return scheme.equals(address.getScheme());
  }
}
