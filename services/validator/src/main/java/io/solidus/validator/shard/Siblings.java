package io.solidus.validator.shard;

import com.google.protobuf.ByteString;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.validator.authority.GrpcReplies;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.ReserveReply;
import io.solidus.wire.v1.ReserveRequest;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.ShardServiceGrpc;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The other shards of this authority. */
class Siblings {

  /** @param reserve carries the authority's token */
  record Stubs(
      ValidatorServiceGrpc.ValidatorServiceBlockingStub lookUp,
      ShardServiceGrpc.ShardServiceBlockingStub reserve) {}

  private final Map<Integer, Stubs> byIndex;
  private final Ownership ownership;
  private final Duration deadline;

  Siblings(Map<Integer, Stubs> byIndex, Ownership ownership, Duration deadline) {
    this.byIndex = Map.copyOf(byIndex);
    this.ownership = ownership;
    this.deadline = deadline;
  }

  /**
   * A look before anything is reserved: a transfer that cannot succeed must not use up its lead serial number.
   *
   * @throws io.solidus.protocol.ProtocolException serial-conflict
   */
  void requireNoOther(Collection<SerialNumber> foreign, TxCore core) {
    ByteString wanted = ByteString.copyFrom(core.bytes());
    byOwner(foreign)
        .forEach(
            (owner, serials) -> {
              LookUpSerialsRequest.Builder request = LookUpSerialsRequest.newBuilder();
              serials.forEach(s -> request.addSerials(ByteString.copyFrom(s.bytes())));
              LookUpSerialsReply reply = stubs(owner).lookUp().withDeadlineAfter(millis(), TimeUnit.MILLISECONDS)
                  .lookUpSerials(request.build());
              if (reply.getStatesList().stream().anyMatch(state -> heldByAnother(state, wanted))) {
                throw SerialStore.conflict();
              }
            });
  }

  /** Reserves on every owner in turn; durable there when this returns. */
  void reserve(Collection<SerialNumber> foreign, TxCore core) {
    byOwner(foreign)
        .forEach(
            (owner, serials) -> {
              ReserveRequest.Builder request =
                  ReserveRequest.newBuilder()
                      .setShardMapVersion(ownership.mapVersion())
                      .setCore(ByteString.copyFrom(core.bytes()));
              serials.forEach(s -> request.addSerials(ByteString.copyFrom(s.bytes())));
              ReserveReply reply = stubs(owner).reserve().withDeadlineAfter(millis(), TimeUnit.MILLISECONDS)
                  .reserve(request.build());
              GrpcReplies.requireReserved(reply);
            });
  }

  private SortedMap<Integer, List<SerialNumber>> byOwner(Collection<SerialNumber> serials) {
    return serials.stream().sorted()
        .collect(Collectors.groupingBy(ownership::ownerOf, TreeMap::new, Collectors.toList()));
  }

  private static boolean heldByAnother(SerialState state, ByteString core) {
    return state.getStatus() != SerialState.Status.STATUS_UNSPENT && !state.getCore().equals(core);
  }

  private Stubs stubs(int owner) {
    Stubs stubs = byIndex.get(owner);
    if (stubs == null) {
      throw GrpcReplies.unavailable("a sibling shard is not configured");
    }
    return stubs;
  }

  private long millis() {
    return deadline.toMillis();
  }
}
