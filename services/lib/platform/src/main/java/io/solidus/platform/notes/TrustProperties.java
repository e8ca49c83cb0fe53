package io.solidus.platform.notes;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Ed25519 public keys in base64. A service leaves the keys that it does not need empty.
 *
 * @param registration key for attestations
 * @param sanctions key for checkpoints and heartbeats
 * @param policy key for policies
 * @param approvers keys for mint approvals, by the approver's name
 * @param former keys that their issuers have no more
 */
@ConfigurationProperties("solidus.trust")
public record TrustProperties(
    @DefaultValue("") String registration,
    @DefaultValue("") String sanctions,
    @DefaultValue("") String policy,
    @DefaultValue Map<String, String> approvers,
    @DefaultValue List<Former> former) {

  /**
   * A former key.
   *
   * @param issuer registration, sanctions or policy
   * @param key in base64
   * @param until what was accepted before counts
   */
  public record Former(@Nullable String issuer, @Nullable String key, @Nullable Instant until) {}
}
