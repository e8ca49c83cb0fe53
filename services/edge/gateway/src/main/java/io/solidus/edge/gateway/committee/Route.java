package io.solidus.edge.gateway.committee;

import io.grpc.Deadline;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.function.IntFunction;

/**
 * The way to an authority's shards by one version of its map, for one question with one deadline.
 */
public final class Route {
  private final ShardMap map;
  private final Deadline deadline;
  private final IntFunction<ValidatorServiceGrpc.ValidatorServiceBlockingStub> shards;
  private int last;

  Route(
      ShardMap map,
      Deadline deadline,
      IntFunction<ValidatorServiceGrpc.ValidatorServiceBlockingStub> shards) {
    this.map = map;
    this.deadline = deadline;
    this.shards = shards;
  }

  /** Which shard owns a serial number: callers group by it. */
  public int owner(SerialNumber serial) {
    return map.owner(serial);
  }

  /** The shard that owns a serial number. */
  public ValidatorServiceGrpc.ValidatorServiceBlockingStub to(SerialNumber serial) {
    last = map.owner(serial);
    return shard(last);
  }

  ValidatorServiceGrpc.ValidatorServiceBlockingStub shard(int shard) {
    return shards.apply(shard).withDeadline(deadline);
  }

  /** The shard that was asked last. */
  int last() {
    return last;
  }
}
