package io.solidus.platform.notes;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Ed25519 public keys in base64; an empty one is needed by nobody in this service.
 *
 * @param registration signs attestations
 * @param sanctions signs checkpoints and heartbeats
 * @param policy signs policies
 * @param approvers sign mints, by name
 */
@ConfigurationProperties("solidus.trust")
public record TrustProperties(
    @DefaultValue("") String registration,
    @DefaultValue("") String sanctions,
    @DefaultValue("") String policy,
    @DefaultValue Map<String, String> approvers) {}
