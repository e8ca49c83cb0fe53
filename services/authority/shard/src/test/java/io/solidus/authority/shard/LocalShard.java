package io.solidus.authority.shard;

import com.zaxxer.hikari.HikariDataSource;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.RetryOnShardMove;
import io.solidus.authority.shard.range.ShardBootstrap;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.authority.spend.PipelineObserver;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.ShardServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A shard without a process: its real stores, pipeline and sibling calls, and a signer that signs
 * everything.
 */
final class LocalShard implements AutoCloseable {

  private static final Duration CALL = Duration.ofSeconds(10);
  private static final int MAX_CALLS = 64;

  final int number;
  final Ownership ownership;
  final SerialStore serials;
  final CoreStore cores;
  final LookUpService lookUps;
  final TransactionTemplate transaction;
  final JdbcClient jdbc;
  final RetryOnShardMove<Transfer, PartialSignature> pipeline;
  private final HikariDataSource database;
  private final Server server;
  private final ManagedChannel channel;

  LocalShard(LocalAuthority authority, int number) {
    this.number = number;
    this.database = authority.pool(ShardSchema.name(number));
    ShardSchema.migrate(database, number);
    this.jdbc = JdbcClient.create(database);
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    ShardMaps maps = maps(authority);
    ShardBootstrap bootstrap =
        new ShardBootstrap(jdbc, transaction, LocalAuthority.NETWORK, authority.signer());
    bootstrap.establishMap(1, LocalAuthority.FIRST_SHARDS);
    bootstrap.renewMap(maps);
    bootstrap.establishRange(maps, number);
    this.ownership = new Ownership(jdbc, maps, number);
    this.serials = new SerialStore(jdbc, ownership);
    this.cores = new CoreStore(jdbc, 1, Clock.systemUTC());
    this.lookUps = new LookUpService(ownership, serials, cores);
    SpendPipeline<Transfer, PartialSignature> spendPipeline =
        new SpendPipeline<>(
            ownership::ranges,
            (request, holdsLead) -> {},
            new SqlSpendStore<>(ownership, serials, cores, transaction, requests -> {}),
            new GrpcSiblings(shard -> Optional.of(authority.shard(shard).stub()), CALL),
            authority.tap,
            step -> {},
            PipelineObserver.NONE);
    this.pipeline = new RetryOnShardMove<>(ownership::ranges, ownership::refresh, spendPipeline);
    ShardEndpoint siblings =
        new ShardEndpoint(ownership, serials, new Reservations(serials, transaction), MAX_CALLS);
    try {
      this.server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(siblings)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
  }

  /** The ownership as a process sees it that has not read the map since its start. */
  Ownership withMapAtStart(LocalAuthority authority, Runnable meanwhile) {
    ShardMaps old = maps(authority);
    old.refresh();
    meanwhile.run();
    return new Ownership(jdbc, old, number);
  }

  private ShardMaps maps(LocalAuthority authority) {
    return new ShardMaps(
        jdbc, LocalAuthority.NETWORK, 1, authority.noteKeys(), InstantSource.system());
  }

  private ShardServiceGrpc.ShardServiceFutureStub stub() {
    return ShardServiceGrpc.newFutureStub(channel);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    database.close();
  }
}
