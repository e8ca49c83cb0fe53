package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.shard.range.ShardBootstrap;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.PartialSignature;
import java.time.Clock;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The tables of a shard on a real server with fsync on, without the rest of a shard. It owns every
 * serial number.
 */
final class SpendStoreFixture implements AutoCloseable {

  private static final int SHARD = 0;

  /** Of the shares. */
  static final int EPOCH = 1;

  final NetworkId network = new NetworkId("store-test");
  final RandomTransfers transfers = new RandomTransfers(network);
  final JdbcClient jdbc;
  final TransactionTemplate transaction;
  final Ownership ownership;
  final SerialStore serials;
  final CoreStore cores;
  final RecoverStore recovers;
  final HolderRequests holderRequests;
  final SqlSpendStore<Transfer> spendStore;
  private final HikariDataSource pool;

  SpendStoreFixture(int connections) {
    this(TestPostgres.newDatabase().dataSource(), connections, JdbcTransactionManager::new);
  }

  SpendStoreFixture(
      DataSource database,
      int connections,
      Function<DataSource, JdbcTransactionManager> transactions) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setSchema(ShardSchema.name(SHARD));
    config.setMaximumPoolSize(connections);
    config.setConnectionInitSql(sessionSettings("solidus-validator.yml"));
    pool = new HikariDataSource(config);
    ShardSchema.migrate(pool, SHARD);
    jdbc = JdbcClient.create(pool);
    transaction = new TransactionTemplate(transactions.apply(pool));
    AuthorityDatabase.open(pool);
    NoteSigner signer = NoteSigner.fromSeed(CommitteeMember.noteName(1), new byte[32]);
    ShardMaps maps = new ShardMaps(jdbc, network, 1, signer.publicKey());
    ShardBootstrap bootstrap = new ShardBootstrap(jdbc, transaction, network, signer);
    bootstrap.establishMap(1, 1);
    bootstrap.establishRange(maps, 0);
    ownership = new Ownership(jdbc, maps, 0);
    serials = new SerialStore(jdbc, ownership);
    cores = new CoreStore(jdbc, EPOCH, Clock.systemUTC());
    recovers = new RecoverStore(jdbc, EPOCH, Clock.systemUTC());
    holderRequests = new HolderRequests(jdbc);
    spendStore = new SqlSpendStore<>(ownership, serials, cores, transaction, requests -> {});
  }

  /**
   * The statements that a process runs at the start of each of its sessions.
   *
   * @param resource its configuration
   */
  static String sessionSettings(String resource) {
    YamlPropertiesFactoryBean settings = new YamlPropertiesFactoryBean();
    settings.setResources(new ClassPathResource(resource));
    return Objects.requireNonNull(
        Objects.requireNonNull(settings.getObject())
            .getProperty("spring.datasource.hikari.connection-init-sql"));
  }

  SpendRequest<Transfer> request(TransferRequest request) {
    return new SpendRequest<>(
        request.statement().core(network),
        request.statement().serials(),
        Transfer.of(request, Codecs.toWire(request)));
  }

  SpendRequest<Transfer> request() {
    return request(transfers.next());
  }

  /** An answer of the size that a signer gives. */
  static PartialSignature answer() {
    return PartialSignature.newBuilder()
        .setAuthority(1)
        .setShareEpoch(1)
        .addPoints(ByteString.copyFrom(TestRandom.bytes(96)))
        .addPoints(ByteString.copyFrom(TestRandom.bytes(96)))
        .setVote(ByteString.copyFrom(TestRandom.bytes(64)))
        .build();
  }

  DataSource dataSource() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
  }
}
