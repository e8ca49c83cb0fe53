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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The shards of all authorities as a client reaches them, through the links that faults cut. */
public final class Validators implements AutoCloseable {

  private static final long CALL_SECONDS = 6;

  private final List<List<ManagedChannel>> authorities = new ArrayList<>();
  private final Map<Integer, ShardMap> maps = new ConcurrentHashMap<>();
  private final NetworkId network;

  /**
   * @param spareShards that may join
   */
  public Validators(Cluster cluster, int shards, int spareShards) {
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

  /**
   * A shard said that a range has moved: asks the one that said so for the newest map, and goes by
   * it from then on.
   */
  void moved(int authority, SerialNumber lead) {
    ManagedChannel channel = authorities.get(authority - 1).get(maps.get(authority).owner(lead));
    ValidatorServiceGrpc.newStub(channel)
        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
        .getStatus(
            GetStatusRequest.getDefaultInstance(),
            new UnaryReply<>((status, failure) -> {
              // whoever finds no newer map asks again
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
   * @param done gets the reply, or null and why there is none; called once, by another thread
   */
  void submit(
      int authority,
      SerialNumber lead,
      TransferRequest request,
      BiConsumer<@Nullable SubmitReply, Status> done) {
    ManagedChannel channel = authorities.get(authority - 1).get(maps.get(authority).owner(lead));
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      // a client library waits longer and longer before it connects again; whoever tests recovery
      // does not
      channel.resetConnectBackoff();
    }
    ValidatorServiceGrpc.newStub(channel)
        .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
        .submitTransfer(request, new UnaryReply<>(done));
  }

  @Override
  public void close() {
    authorities.forEach(channels -> channels.forEach(ManagedChannel::shutdownNow));
  }
}
