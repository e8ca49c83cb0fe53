package io.solidus.edge.gateway.mailbox;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Exchange of mail with other gateways of the network ({@code solidus.gateway.exchange.*}). A
 * gateway that others pull from has a gRPC server ({@code spring.grpc.server.*}) as well.
 *
 * @param peers from which this gateway pulls
 * @param interval pause after a peer had nothing new
 * @param maxPerSecond new messages of one peer in a second; what is more waits at the peer
 */
@Validated
@ConfigurationProperties("solidus.gateway.exchange")
public record ExchangeProperties(
    @NotNull @DefaultValue List<@Valid Peer> peers,
    @DefaultValue("1s") Duration interval,
    @DefaultValue("100") @Min(1) @Max(100_000) int maxPerSecond) {
  private static final int MAX_PEERS = 32;

  /**
   * Another gateway.
   *
   * @param name for this gateway's database and metrics; another name is another peer, whose
   *     mailbox is read from its start
   * @param address of its gRPC server, host:port. Its certificate has this host's name
   */
  public record Peer(
      @NotBlank @Pattern(regexp = "[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?") String name,
      @NotBlank String address) {}

  public ExchangeProperties {
    peers = List.copyOf(peers);
    if (interval.compareTo(Duration.ofMillis(10)) < 0
        || interval.compareTo(Duration.ofMinutes(10)) > 0) {
      throw new IllegalArgumentException(
          "solidus.gateway.exchange.interval: 10 milliseconds to 10 minutes");
    }
    Set<String> names = new HashSet<>();
    for (Peer peer : peers) {
      if (!names.add(peer.name())) {
        throw new IllegalArgumentException(
            "solidus.gateway.exchange.peers: two have the name " + peer.name());
      }
    }
    if (peers.size() > MAX_PEERS) {
      throw new IllegalArgumentException("solidus.gateway.exchange.peers: at most " + MAX_PEERS);
    }
  }
}
