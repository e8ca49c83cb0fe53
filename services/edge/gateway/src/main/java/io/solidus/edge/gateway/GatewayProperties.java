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
 * Configuration of the gateway ({@code solidus.gateway.*}).
 *
 * @param currency ISO 4217 code
 * @param authorities addresses of the shards and the compliance issuer of every authority
 * @param proverAddress gRPC address of the prover service; empty when there is none
 * @param urls addresses of the other services, as wallets reach them
 * @param sanctionsUrl address of the sanctions service, as the gateway reaches it; empty for the
 *     same address as in {@code urls}, which is rejected together with
 *     solidus.http-client.ssl-bundle
 * @param callTimeout limit for one call to one authority, retries included
 * @param requestTimeout limit for one request of a wallet
 * @param maxConcurrent requests of wallets processed at the same time, by class
 * @param maxPerSecond requests of strangers that are processed in a second, by class
 * @param tokens that show that a request is a registered wallet's
 * @param streams of events that are open at the same time
 * @param mailboxRetention how long messages are kept, in whole days
 * @param shardMapInterval pause between two requests for an authority's shard map
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
    @NotNull @Valid @DefaultValue MaxConcurrent maxConcurrent,
    @NotNull @Valid @DefaultValue MaxPerSecond maxPerSecond,
    @NotNull @Valid @DefaultValue Tokens tokens,
    @NotNull @Valid @DefaultValue Streams streams,
    @DefaultValue("90d") Duration mailboxRetention,
    @DefaultValue("10s") Duration shardMapInterval) {

  /**
   * Addresses of one authority.
   *
   * @param index 1 to N
   * @param shards gRPC addresses of shard 0, 1, ...; the list may be longer than the authority's
   *     shard map
   * @param shardPattern address of every further shard; {shard} stands for its number
   * @param issuer gRPC address of the compliance issuer
   */
  public record Authority(
      @Min(1) int index,
      @NotNull @DefaultValue List<String> shards,
      @DefaultValue("") String shardPattern,
      @DefaultValue("") String issuer) {}

  /**
   * Requests of wallets that are processed at the same time. Each class has places of its own;
   * requests that find none are answered with status 429.
   *
   * @param payments transfers
   * @param doubtfulPayments transfers of client networks that recently sent invalid evidence, which
   *     validators verify apart from the others and later
   * @param mints signatures on mints
   * @param registrations signatures on registrations
   * @param lookUps states of coins, four serial numbers for each place, and the signatures on a
   *     submitted transfer
   * @param proofs delegated proofs
   * @param recovers recovers of locked accounts; each takes as much work as 17 transfers
   * @param posts messages for the mailbox
   * @param reads pages of the mailbox
   * @param lists sanction lists that the gateway has to fetch first
   * @param replicaReads pages of the mailbox's tables for the replica of each authority; further
   *     ones are reads
   * @param allReplicaReads as many for all replicas together
   */
  public record MaxConcurrent(
      @DefaultValue("256") @Min(1) @Max(100_000) int payments,
      @DefaultValue("64") @Min(1) @Max(100_000) int doubtfulPayments,
      @DefaultValue("64") @Min(1) @Max(100_000) int mints,
      @DefaultValue("64") @Min(1) @Max(100_000) int registrations,
      @DefaultValue("64") @Min(1) @Max(100_000) int lookUps,
      @DefaultValue("64") @Min(1) @Max(100_000) int proofs,
      @DefaultValue("8") @Min(1) @Max(100_000) int recovers,
      @DefaultValue("64") @Min(1) @Max(100_000) int posts,
      @DefaultValue("64") @Min(1) @Max(100_000) int reads,
      @DefaultValue("64") @Min(1) @Max(100_000) int lists,
      @DefaultValue("4") @Min(1) @Max(1_000) int replicaReads,
      @DefaultValue("32") @Min(1) @Max(1_000) int allReplicaReads) {

    /** All that may be sent to authorities to be signed at the same time. */
    public int submissions() {
      // a look-up of a transfer's signatures submits the transfer again
      return payments + doubtfulPayments + mints + registrations + lookUps + recovers;
    }
  }

  /**
   * Requests that are processed in a second. They cost every authority something and their sender
   * nothing, so they get a share of what the committee can do. Requests above it are answered with
   * status 429.
   *
   * @param doubtfulPayments transfers of client networks that recently sent invalid evidence
   * @param lookUps as {@link MaxConcurrent#lookUps}
   * @param recovers recovers of locked accounts
   * @param posts messages for the mailbox, all of which every wallet reads
   * @param refusals of requests that found no place or no rate, all classes together; each waits
   *     for its turn, so that who asks again at once does not ask often
   * @param refusalsOfOneNetwork as many of one client network
   * @param besidePayments requests of a class that anybody can send for nothing, for each processor
   *     of this service, while payments are made and work waits for processors
   * @param replicaReads pages of the mailbox's tables for the replica of each authority, on
   *     average; what it does not read is saved, up to the reads of 500 s; further ones are reads
   * @param allReplicaReads as many for all replicas together, with what they save in 200 s
   */
  public record MaxPerSecond(
      @DefaultValue("4") @Min(1) @Max(100_000) int doubtfulPayments,
      @DefaultValue("64") @Min(1) @Max(100_000) int lookUps,
      @DefaultValue("1") @Min(1) @Max(100_000) int recovers,
      @DefaultValue("100") @Min(1) @Max(100_000) int posts,
      @DefaultValue("100") @Min(100) @Max(100_000) int refusals,
      @DefaultValue("20") @Min(1) @Max(100_000) int refusalsOfOneNetwork,
      @DefaultValue("2") @Min(1) @Max(100_000) int besidePayments,
      @DefaultValue("2") @Min(1) @Max(100_000) int replicaReads,
      @DefaultValue("100") @Min(1) @Max(100_000) int allReplicaReads) {}

  /**
   * Blind tokens. While they are off, requests without one are processed as those with one.
   *
   * @param url address of the registration service, as the gateway reaches it; empty for off
   * @param origin host name by which wallets know this gateway and its replicas
   * @param strangers posts, delegated proofs and look-ups without a token that are processed at the
   *     same time, counted as {@link MaxConcurrent} counts them
   * @param strangersPerSecond as many in a second
   */
  public record Tokens(
      @DefaultValue("") String url,
      @DefaultValue("") String origin,
      @DefaultValue("16") @Min(1) @Max(100_000) int strangers,
      @DefaultValue("8") @Min(1) @Max(100_000) int strangersPerSecond) {
    public Tokens {
      if (!url.isEmpty() && origin.isEmpty()) {
        throw new IllegalArgumentException(
            "solidus.gateway.tokens: a gateway that takes tokens has an origin");
      }
    }

    /** Whether this gateway takes tokens. */
    public boolean isOn() {
      return !url.isEmpty();
    }
  }

  /**
   * Streams of server-sent events. Each holds a connection of the server and no place of a class.
   *
   * @param maxOpen streams of all clients together; further ones are answered with status 429
   * @param maxPerAddress streams of one IPv4 address or IPv6 network of 64 bits
   * @param heartbeat the longest silence on a stream
   * @param lifetime after which a stream ends
   */
  public record Streams(
      @DefaultValue("500") @Min(1) @Max(100_000) int maxOpen,
      @DefaultValue("32") @Min(1) @Max(100_000) int maxPerAddress,
      @DefaultValue("15s") Duration heartbeat,
      @DefaultValue("5m") Duration lifetime) {
    public Streams {
      if (!heartbeat.isPositive() || !lifetime.isPositive()) {
        throw new IllegalArgumentException(
            "solidus.gateway.streams: heartbeat and lifetime are positive");
      }
    }
  }

  /** Addresses of the operator's services, which wallets call directly. */
  public record Urls(
      @NotBlank String registration, @NotBlank String sanctions, @NotBlank String issuance) {}
}
