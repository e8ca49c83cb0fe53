package io.solidus.edge.gateway.mailbox;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Tables of the mailbox ({@code solidus.gateway.mail-tables.*}).
 *
 * @param interval after which messages become tables, in whole seconds; 0 for no tables
 * @param replicas gRPC addresses of the authorities' replicas, in their order; none for a network
 *     without private queries
 * @param replicaKeys base64 of the Ed25519 keys with which the replicas sign lists, in the same
 *     order, where the network's signed services do not name them
 * @param gateway this gateway's address in the signed services, where these name the replicas of
 *     several mailboxes; otherwise it may be empty
 */
@Validated
@ConfigurationProperties("solidus.gateway.mail-tables")
public record MailTableProperties(
    @DefaultValue("0s") Duration interval,
    @DefaultValue List<String> replicas,
    @DefaultValue List<String> replicaKeys,
    @DefaultValue("") String gateway) {
  public MailTableProperties {
    replicas = List.copyOf(replicas);
    replicaKeys = List.copyOf(replicaKeys);
    if (interval.isNegative() || !interval.equals(Duration.ofSeconds(interval.toSeconds()))) {
      throw new IllegalArgumentException(
          "solidus.gateway.mail-tables.interval: whole seconds, or 0 for no tables");
    }
    if (!replicas.isEmpty() && interval.isZero()) {
      throw new IllegalArgumentException(
          "solidus.gateway.mail-tables.replicas: only a gateway that makes tables has them");
    }
  }

  /** Whether this gateway makes tables. */
  public boolean isOn() {
    return interval.isPositive();
  }
}
