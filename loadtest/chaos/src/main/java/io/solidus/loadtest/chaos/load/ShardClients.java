package io.solidus.loadtest.chaos.load;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.UnaryReply;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.SubmitReply;
import io.solidus.wire.v1.TransferRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** gRPC clients of the shards of all authorities, through the links that faults cut. */
public final class ShardClients implements AutoCloseable {

  private static final long CALL_SECONDS = 6;

  private final List<List<ManagedChannel>> authorities = new ArrayList<>();
  private final Map<Integer, ShardMap> maps = new ConcurrentHashMap<>();
  private final NetworkId network;

  /**
   * @param spareShards number of shards that may join
   */
  public ShardClients(Cluster cluster, int shards, int spareShards) {
    this.network = cluster.network();
    for (AuthorityProcesses authority : cluster.authorities()) {
      List<ManagedChannel> channels = new ArrayList<>();
      for (int shard = 0; shard < shards + spareShards; shard++) {
        channels.add(
            NettyChannelBuilder.forAddress("127.0.0.1", authority.clientPort(shard))
                .usePlaintext()
                .build());
      }
      authorities.add(channels);
      maps.put(authority.index(), ShardMap.equal(shards));
    }
  }

  /** Fetches the newest shard map from a shard that answered "shard moved". */
  void moved(int authority, SerialNumber lead) {
    ManagedChannel channel = channel(authority, lead);
    ValidatorServiceGrpc.newStub(channel)
        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
        .getStatus(
            GetStatusRequest.getDefaultInstance(),
            new UnaryReply<>((status, failure) -> {
              // without a newer map the next call fails the same way and comes here again
              if (status != null) {
                ShardMap map =
                    ShardMap.parse(network, SignedNote.parse(status.getShardMapNote()).text());
                maps.merge(
                    authority,
                    map,
                    (known, told) -> told.version() > known.version() ? told : known);
              }
            }));
  }

  /**
   * @param done gets the reply, or null and the status of the failure; called once, by another
   *     thread
   */
  void submit(
      int authority,
      SerialNumber lead,
      TransferRequest request,
      BiConsumer<@Nullable SubmitReply, Status> done) {
    ManagedChannel channel = channel(authority, lead);
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      // gRPC backs off before it reconnects, which would delay the recovery that is measured
      channel.resetConnectBackoff();
    }
    ValidatorServiceGrpc.newStub(channel)
        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
        .submitTransfer(request, new UnaryReply<>(done));
  }

  /** The connection to the shard that owns a serial number. */
  private ManagedChannel channel(int authority, SerialNumber lead) {
    ShardMap map = Objects.requireNonNull(maps.get(authority), "no such authority");
    return authorities.get(authority - 1).get(map.owner(lead));
  }

  @Override
  public void close() {
    authorities.forEach(channels -> channels.forEach(ManagedChannel::shutdownNow));
  }
}
