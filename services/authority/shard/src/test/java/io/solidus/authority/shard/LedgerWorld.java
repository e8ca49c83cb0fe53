package io.solidus.authority.shard;

import com.google.protobuf.ByteString;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.shard.range.Beginning;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.authority.spend.Spend;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.PartialSignature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.Objects;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A shard's tables on a real server with fsync on, without the rest of a shard. It owns every
 * serial number.
 */
final class LedgerWorld implements AutoCloseable {

  private static final String DATABASE = "ledger";
  private static final int SHARD = 0;

  final NetworkId network = new NetworkId("ledger-test");
  final RandomTransfers transfers = new RandomTransfers(network);
  final PostgresServer postgres;
  final JdbcClient jdbc;
  final TransactionTemplate transaction;
  final Ownership ownership;
  final SerialStore serials;
  final CoreStore cores;
  final SqlLedger<Transfer> ledger;
  private final HikariDataSource pool;

  LedgerWorld(int connections) {
    try {
      postgres = PostgresServer.start(Files.createTempDirectory("ledger").resolve("postgres"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    postgres.createDatabase(DATABASE);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(postgres.url(DATABASE));
    config.setSchema(ShardSchema.name(SHARD));
    config.setMaximumPoolSize(connections);
    config.setConnectionInitSql(sessionSettings("solidus-validator.yml"));
    pool = new HikariDataSource(config);
    ShardSchema.migrate(pool, SHARD);
    jdbc = JdbcClient.create(pool);
    transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
    AuthorityDatabase.open(pool);
    NoteSigner signer = NoteSigner.fromSeed(CommitteeMember.noteName(1), new byte[32]);
    ShardMaps maps = new ShardMaps(jdbc, network, 1, signer.publicKey());
    Beginning beginning = new Beginning(jdbc, transaction, network, signer);
    beginning.establishMap(1, 1);
    beginning.establishRange(maps, 0);
    ownership = new Ownership(jdbc, maps, 0);
    serials = new SerialStore(jdbc, ownership);
    cores = new CoreStore(jdbc, Clock.systemUTC());
    ledger = new SqlLedger<>(ownership, serials, cores, transaction, spends -> {});
  }

  /**
   * What a process sets in each of its sessions.
   *
   * @param resource its settings
   */
  static String sessionSettings(String resource) {
    YamlPropertiesFactoryBean settings = new YamlPropertiesFactoryBean();
    settings.setResources(new ClassPathResource(resource));
    return Objects.requireNonNull(
        Objects.requireNonNull(settings.getObject())
            .getProperty("spring.datasource.hikari.connection-init-sql"));
  }

  Spend<Transfer> spend(TransferRequest request) {
    return new Spend<>(
        request.statement().core(network),
        request.statement().serials(),
        Transfer.of(request, Codecs.toWire(request)));
  }

  Spend<Transfer> spend() {
    return spend(transfers.next());
  }

  /** What a signer would answer, of the right size. */
  static PartialSignature answer() {
    return PartialSignature.newBuilder()
        .setAuthority(1)
        .setShareEpoch(1)
        .addPoints(ByteString.copyFrom(TestRandom.bytes(96)))
        .addPoints(ByteString.copyFrom(TestRandom.bytes(96)))
        .build();
  }

  @Override
  public void close() {
    pool.close();
    postgres.close();
  }
}
