package io.solidus.authority.shard;

import io.solidus.authority.spend.batch.BatchLimits;
import io.solidus.authority.spend.batch.Turns;
import io.solidus.platform.grpc.ShardAddresses;
import io.solidus.protocol.ShardMap;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * One shard of one authority.
 *
 * @param authority 1 to N
 * @param shard index in the shard map; one that is not on the map yet waits for a range
 * @param initialShards shards of the first map, when this authority has none yet; 0 means as many
 *     as {@code shards} lists
 * @param shards gRPC addresses of the shards of this authority; they may be more than the map has
 * @param shardPattern address of every shard that {@code shards} does not list, {shard} standing
 *     for its number
 * @param signer gRPC address of this authority's signer
 * @param noteKeyFile 32 bytes: the seed this authority countersigns notes with
 * @param policyGrace how long a superseded policy or checkpoint is good for new cores
 * @param periodGrace how long the previous period is
 * @param heartbeatMaxAge silence of the sanction authority after which no new core is taken
 * @param refreshInterval between two looks at what other processes of the authority learnt
 * @param maxLookUps look-ups answered at a time; more are told to come back
 * @param maxSiblingCalls calls of each kind that siblings may have here at a time
 * @param callDeadline for one call to the signer or to a sibling
 * @param batch how submissions gather
 */
@Validated
@ConfigurationProperties("solidus.validator")
public record ShardProperties(
    @Min(1) int authority,
    @Min(0) int shard,
    @Min(0) @Max(ShardMap.MAX_SHARDS) @DefaultValue("0") int initialShards,
    @NotNull @DefaultValue List<@Valid Peer> shards,
    @DefaultValue("") String shardPattern,
    @NotBlank String signer,
    @NotNull Path noteKeyFile,
    @DefaultValue("10m") Duration policyGrace,
    @DefaultValue("24h") Duration periodGrace,
    @DefaultValue("60s") Duration heartbeatMaxAge,
    @DefaultValue("500ms") Duration refreshInterval,
    @Min(1) @Max(10_000) @DefaultValue("512") int maxLookUps,
    @Min(1) @Max(10_000) @DefaultValue("64") int maxSiblingCalls,
    @DefaultValue("15s") Duration callDeadline,
    @DefaultValue @Valid Batch batch) {

  /**
   * How transfers gather into batches.
   *
   * @param workers batches worked on at a time; 0 means two for each processor, so that one batch
   *     is computed while another waits for a disk
   * @param checking of these, how many may be before or in their verification: the others wait for
   *     a disk, and what comes meanwhile gathers; 0 means half of them
   * @param max transfers in a batch
   * @param queue transfers that wait; one more is told to come back, and when
   * @param maxWait a transfer that would presumably wait longer is told so at once
   * @param maxLinger how long a worker whose last batch had more than one transfer lets the next
   *     one grow
   * @param stop how long a shard that stops works on what waits
   */
  public record Batch(
      @Min(0) @Max(256) @DefaultValue("0") int workers,
      @Min(0) @Max(256) @DefaultValue("0") int checking,
      @Min(1) @Max(256) @DefaultValue("256") int max,
      @Min(1) @Max(100_000) @DefaultValue("1024") int queue,
      @DefaultValue("1s") Duration maxWait,
      @DefaultValue("0s") Duration maxLinger,
      @DefaultValue("5s") Duration stop) {

    BatchLimits transfers() {
      return new BatchLimits(count(), max, queue, maxWait, maxLinger, stop);
    }

    Turns turns() {
      return new Turns(checking > 0 ? checking : Math.ceilDiv(count(), 2));
    }

    private int count() {
      return workers > 0 ? workers : 2 * Runtime.getRuntime().availableProcessors();
    }

    /**
     * Mints are few and large; one at a time each, and a few at a time, keep them from standing in
     * the transfers' way.
     */
    BatchLimits mints() {
      return new BatchLimits(2, 1, Math.min(queue, 64), maxWait, Duration.ZERO, stop);
    }
  }

  /**
   * @throws IllegalStateException when the list names a shard twice, or nothing says where this
   *     shard is
   */
  ShardAddresses addresses() {
    Map<Integer, String> listed = new HashMap<>();
    for (Peer peer : shards) {
      if (listed.put(peer.index(), peer.address()) != null) {
        throw new IllegalStateException(
            "solidus.validator.shards lists shard " + peer.index() + " twice");
      }
    }
    ShardAddresses addresses = new ShardAddresses(listed, shardPattern);
    if (addresses.of(shard).isEmpty()) {
      throw new IllegalStateException(
          "solidus.validator.shards does not list this shard, and there is no shard-pattern");
    }
    return addresses;
  }

  /** Shards of the first map. */
  int firstShards() {
    return initialShards > 0 ? initialShards : shards.size();
  }

  /** A shard of this authority. */
  public record Peer(@Min(0) int index, @NotBlank String address) {}
}
