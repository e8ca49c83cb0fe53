package io.solidus.edge.gateway;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * @param currency ISO 4217
 * @param authorities addresses of every authority's shards and compliance issuer
 * @param proverAddress gRPC address of the prover service; empty when there is none
 * @param urls where wallets find the other services
 * @param sanctionsUrl where the gateway itself finds the sanction service; empty for where wallets
 *     do, which is refused beside solidus.http-client.ssl-bundle
 * @param callTimeout how long one authority may take
 * @param requestTimeout how long a wallet's request may take in all
 * @param maxConcurrent wallets' requests worked on at a time; more are answered 429
 * @param mailboxRetention how long messages are kept
 * @param shardMapInterval between two looks at each authority's shard map
 */
@Validated
@ConfigurationProperties("solidus.gateway")
public record GatewayProperties(
    @DefaultValue("EUR") String currency,
    @NotEmpty List<@Valid Authority> authorities,
    @DefaultValue("") String proverAddress,
    @NotNull @Valid Urls urls,
    @DefaultValue("") String sanctionsUrl,
    @DefaultValue("15s") Duration callTimeout,
    @DefaultValue("25s") Duration requestTimeout,
    @DefaultValue("256") @Min(1) @Max(100_000) int maxConcurrent,
    @DefaultValue("90d") Duration mailboxRetention,
    @DefaultValue("10s") Duration shardMapInterval) {

  /**
   * @param index 1 to N
   * @param shards gRPC addresses of shard 0, 1, ...; they may be more than the authority's shard
   *     map has
   * @param shardPattern address of every further shard, {shard} standing for its number
   * @param issuer gRPC address of the compliance issuer
   */
  public record Authority(
      @Min(1) int index,
      @NotNull @DefaultValue List<String> shards,
      @DefaultValue("") String shardPattern,
      @DefaultValue("") String issuer) {}

  /** Addresses of the services that know identities; a wallet talks to them itself. */
  public record Urls(
      @NotBlank String registration, @NotBlank String sanctions, @NotBlank String issuance) {}
}
