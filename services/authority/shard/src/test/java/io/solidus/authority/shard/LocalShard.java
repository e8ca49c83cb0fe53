package io.solidus.authority.shard;

import com.zaxxer.hikari.HikariDataSource;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.shard.range.AcrossMaps;
import io.solidus.authority.shard.range.Beginning;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.ShardServiceGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
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
  final LookUps lookUps;
  final TransactionTemplate transaction;
  final JdbcClient jdbc;
  final AcrossMaps<Transfer, PartialSignature> submissions;
  private final HikariDataSource database;
  private final Server server;
  private final ManagedChannel channel;

  LocalShard(LocalAuthority authority, int number) {
    this.number = number;
    this.database = authority.pool(ShardSchema.name(number));
    ShardSchema.migrate(database, number);
    this.jdbc = JdbcClient.create(database);
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    ShardMaps maps = new ShardMaps(jdbc, LocalAuthority.NETWORK, 1, authority.signer.publicKey());
    Beginning beginning =
        new Beginning(jdbc, transaction, LocalAuthority.NETWORK, authority.signer);
    beginning.establishMap(1, LocalAuthority.FIRST_SHARDS);
    beginning.establishRange(maps, number);
    this.ownership = new Ownership(jdbc, maps, number);
    this.serials = new SerialStore(jdbc, ownership);
    this.cores = new CoreStore(jdbc, Clock.systemUTC());
    this.lookUps = new LookUps(ownership, serials, cores);
    SpendPipeline<Transfer, PartialSignature> pipeline =
        new SpendPipeline<>(
            ownership::ranges,
            spend -> {},
            new SqlLedger<>(ownership, serials, cores, transaction, spends -> {}),
            new GrpcSiblings(
                shard -> Optional.of(authority.shard(shard).stub()), ownership::mapVersion, CALL),
            authority.tap,
            step -> {});
    this.submissions = new AcrossMaps<>(ownership::ranges, ownership::refresh, pipeline::run);
    ShardEndpoint siblings =
        new ShardEndpoint(ownership, serials, new Reservations(serials, transaction), MAX_CALLS);
    try {
      this.server =
          NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
              .addService(siblings)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
  }

  /** As a process that has not looked at the map since it started. */
  Ownership withMapOfItsStart(LocalAuthority authority, Runnable meanwhile) {
    ShardMaps old = new ShardMaps(jdbc, LocalAuthority.NETWORK, 1, authority.signer.publicKey());
    old.refresh();
    meanwhile.run();
    return new Ownership(jdbc, old, number);
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
