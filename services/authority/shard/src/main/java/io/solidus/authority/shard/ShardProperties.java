package io.solidus.authority.shard;

import io.solidus.authority.common.rules.RuleSettings;
import io.solidus.authority.spend.batch.BatchLimits;
import io.solidus.authority.spend.batch.CheckPermits;
import io.solidus.authority.spend.rules.AdmissionWindows;
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
 * The properties of one shard of one authority.
 *
 * @param authority 1 to N
 * @param shard index in the shard map; a shard that is not on the map yet waits for a range
 * @param initialShards number of shards on the first map, used when this authority has no map yet;
 *     0 means as many as {@code shards} lists
 * @param shards gRPC addresses of the shards of this authority; they may be more than the map has
 * @param shardPattern address of every shard that {@code shards} does not list, with {shard} for
 *     its number
 * @param signer gRPC address of this authority's signer
 * @param noteKeyFile 32 bytes: the seed of the key that countersigns notes
 * @param policyGrace how long a superseded policy or checkpoint stays usable for new cores
 * @param periodGrace how long the previous period stays usable
 * @param heartbeatMaxAge age of the sanctions service's last heartbeat after which no new core is
 *     taken
 * @param refreshInterval between two reads of what other processes of the authority stored
 * @param maxLookUps look-ups at a time; more are rejected as overloaded
 * @param lookUpConnections connections of look-ups to the database, besides those of the pool
 * @param maxSiblingCalls calls of each kind from siblings at a time
 * @param totalsInterval between two looks at what was minted and withdrawn, which is published when
 *     it changed
 * @param callDeadline for one call to the signer or to a sibling
 * @param batch how submissions form batches
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
    @Min(1) @Max(100) @DefaultValue("4") int lookUpConnections,
    @Min(1) @Max(10_000) @DefaultValue("64") int maxSiblingCalls,
    @DefaultValue("10m") Duration totalsInterval,
    @DefaultValue("15s") Duration callDeadline,
    @DefaultValue @Valid Batch batch) {

  static final String TOO_MANY_CALLS = "too many requests are being worked on";

  /**
   * How transfers form batches.
   *
   * @param workers batches in work at a time; 0 means two for each processor, so that one batch
   *     computes while another waits for a disk
   * @param checking how many of them may be at or before their verification, while the others wait
   *     for a disk and new requests gather; 0 means half of them
   * @param max transfers in a batch
   * @param queue transfers that may wait; more are rejected with a time to retry
   * @param maxWait a transfer with a longer estimated wait is rejected at once
   * @param maxLinger how long a worker whose last batch had more than one transfer lets the next
   *     one grow
   * @param stop how long a stopping shard works on what waits
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

    /**
     * Limits for transfers that are worked on apart: one batch at a time, a quarter of the queue.
     */
    BatchLimits transfersApart() {
      return new BatchLimits(1, max, Math.ceilDiv(queue, 4), maxWait, Duration.ZERO, stop);
    }

    CheckPermits checkPermits() {
      return new CheckPermits(checking > 0 ? checking : Math.ceilDiv(count(), 2));
    }

    private int count() {
      return workers > 0 ? workers : 2 * Runtime.getRuntime().availableProcessors();
    }

    /**
     * Limits for mints. They are rare and expensive: batches of one, and two at a time, keep them
     * from delaying transfers.
     */
    BatchLimits mints() {
      return new BatchLimits(2, 1, Math.min(queue, 64), maxWait, Duration.ZERO, stop);
    }

    /**
     * Limits for recovers. One costs as much as 17 transfers, so there is one at a time, however
     * many are sent.
     */
    BatchLimits recovers() {
      return new BatchLimits(1, 1, Math.min(queue, 16), maxWait, Duration.ZERO, stop);
    }
  }

  /**
   * The addresses of the shards.
   *
   * @throws IllegalStateException when the list names a shard twice, or this shard has no address
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

  RuleSettings rules() {
    return new RuleSettings(
        new AdmissionWindows(policyGrace, periodGrace, heartbeatMaxAge), refreshInterval);
  }

  /** The number of shards on the first map. */
  int firstShards() {
    return initialShards > 0 ? initialShards : shards.size();
  }

  /** A shard of this authority. */
  public record Peer(@Min(0) int index, @NotBlank String address) {}
}
