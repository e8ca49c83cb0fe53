package io.solidus.edge.gateway.committee;

import io.grpc.Deadline;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.function.IntFunction;

/** The shards of one authority by one version of its shard map, for one call with one deadline. */
public final class ShardRoute {
  private final ShardMap map;
  private final Deadline deadline;
  private final IntFunction<ValidatorServiceGrpc.ValidatorServiceBlockingStub> shards;
  private int last;

  ShardRoute(
      ShardMap map,
      Deadline deadline,
      IntFunction<ValidatorServiceGrpc.ValidatorServiceBlockingStub> shards) {
    this.map = map;
    this.deadline = deadline;
    this.shards = shards;
  }

  /** The index of the shard that owns the serial number. */
  public int owner(SerialNumber serial) {
    return map.owner(serial);
  }

  /** A stub of the shard that owns the serial number. */
  public ValidatorServiceGrpc.ValidatorServiceBlockingStub to(SerialNumber serial) {
    last = map.owner(serial);
    return shard(last);
  }

  ValidatorServiceGrpc.ValidatorServiceBlockingStub shard(int shard) {
    return shards.apply(shard).withDeadline(deadline);
  }

  int last() {
    return last;
  }
}
