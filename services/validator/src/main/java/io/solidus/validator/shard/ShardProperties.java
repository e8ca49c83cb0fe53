package io.solidus.validator.shard;

import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * One shard of one authority.
 *
 * @param authority 1 to N
 * @param shard index in the shard map
 * @param shards gRPC addresses of all shards of this authority, this one included
 * @param signer gRPC address of this authority's signer
 * @param keysDir folder with the network's verifying keys and committee
 * @param manifestKey base64 of the Ed25519 key that signs that folder's manifest
 * @param noteKeyFile 32 bytes: the seed this authority countersigns notes with
 * @param policyGrace how long a superseded policy or checkpoint is good for new cores
 * @param periodGrace how long the previous period is
 * @param heartbeatMaxAge silence of the sanction authority after which no new core is taken
 * @param refreshInterval between two looks at what other processes of the authority learnt
 * @param maxInFlight submissions worked on at a time; more are told to come back
 * @param callDeadline for one call to the signer or to a sibling
 */
@Validated
@ConfigurationProperties("solidus.validator")
public record ShardProperties(
    @NotBlank String networkId,
    @NotNull NetworkKind networkKind,
    @Min(1) int authority,
    @Min(0) int shard,
    @Min(1) @DefaultValue("1") long shardMapVersion,
    @NotEmpty List<@Valid Peer> shards,
    @NotBlank String signer,
    @NotNull Path keysDir,
    @NotBlank String manifestKey,
    @NotEmpty Set<KeyClass> allowedKeyClasses,
    @NotNull Path noteKeyFile,
    @DefaultValue("10m") Duration policyGrace,
    @DefaultValue("24h") Duration periodGrace,
    @DefaultValue("60s") Duration heartbeatMaxAge,
    @DefaultValue("500ms") Duration refreshInterval,
    @Min(1) @Max(10_000) @DefaultValue("256") int maxInFlight,
    @DefaultValue("15s") Duration callDeadline) {

  /** A shard of this authority. */
  public record Peer(@Min(0) int index, @NotBlank String address) {}
}
