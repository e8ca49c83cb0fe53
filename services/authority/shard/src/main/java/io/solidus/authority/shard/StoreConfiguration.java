package io.solidus.authority.shard;

import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.shard.range.ShardBootstrap;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.platform.notes.NoteSigners;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The range of the shard and its tables. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {

  private static final Duration COUNT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration FLOOR_INTERVAL = Duration.ofMillis(250);

  @Bean
  NoteSigner noteSigner(ShardProperties properties, Committee committee) {
    int authority = properties.authority();
    NoteSigner signer =
        NoteSigners.load(CommitteeMember.noteName(authority), properties.noteKeyFile());
    if (!signer.publicKey().equals(committee.member(authority).countersigner())) {
      throw new IllegalStateException(
          "the note key is not the one the manifest names for this authority");
    }
    return signer;
  }

  @Bean
  ShardMaps shardMaps(
      AuthorityDatabase database,
      NetworkId network,
      ShardProperties properties,
      Committee committee,
      Clock clock) {
    return new ShardMaps(
        database.jdbc(),
        network,
        properties.authority(),
        committee.noteKeys(properties.authority()),
        clock);
  }

  @Bean
  Ownership ownership(
      JdbcClient jdbc,
      ShardMaps maps,
      TransactionTemplate transaction,
      NetworkId network,
      NoteSigner signer,
      ShardProperties properties) {
    ShardBootstrap bootstrap = new ShardBootstrap(jdbc, transaction, network, signer);
    bootstrap.establishMap(properties.authority(), properties.firstShards());
    bootstrap.renewMap(maps);
    bootstrap.establishRange(maps, properties.shard());
    return new Ownership(jdbc, maps, properties.shard());
  }

  @Bean
  RepeatedJob shardMapRefresh(Ownership ownership, ShardProperties properties) {
    return new RepeatedJob("shard-map-refresh", properties.refreshInterval(), ownership::refresh);
  }

  @Bean
  ShardStores shardStores(
      JdbcClient jdbc,
      Ownership ownership,
      TransactionTemplate transaction,
      Committee committee,
      Clock clock) {
    return new ShardStores(
        ownership,
        new SerialStore(jdbc, ownership),
        new CoreStore(jdbc, committee.epoch(), clock),
        transaction);
  }

  @Bean(destroyMethod = "close")
  LookUpDatabase lookUpDatabase(HikariDataSource database, ShardProperties properties) {
    return new LookUpDatabase(database, properties.lookUpConnections());
  }

  /** Look-ups with connections and a shard map of their own. */
  @Bean
  @DependsOn("ownership")
  LookUpService lookUpService(
      LookUpDatabase database,
      NetworkId network,
      ShardProperties properties,
      Committee committee,
      Clock clock) {
    JdbcClient jdbc = database.jdbc();
    int authority = properties.authority();
    ShardMaps maps = new ShardMaps(jdbc, network, authority, committee.noteKeys(authority), clock);
    maps.refresh();
    Ownership ownership = new Ownership(jdbc, maps, properties.shard());
    return new LookUpService(
        ownership, new SerialStore(jdbc, ownership), new CoreStore(jdbc, committee.epoch(), clock));
  }

  /** What this shard promised before is read before it serves. */
  @Bean
  @DependsOn("ownership")
  ShardFloors shardFloors(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      ShardProperties properties,
      Committee committee,
      RulesCache rules,
      AdmissionRule rule,
      Clock clock) {
    ShardFloors floors =
        new ShardFloors(
            jdbc,
            transaction,
            properties.shard(),
            committee,
            () -> rule.floors(rules.current(), clock.instant()),
            clock);
    floors.raise();
    return floors;
  }

  @Bean
  RepeatedJob floorsRise(ShardFloors floors) {
    return new RepeatedJob("floors", FLOOR_INTERVAL, floors::raise);
  }

  @Bean
  StateSigner stateSigner(
      LookUpService lookUps,
      ShardFloors floors,
      Ownership ownership,
      NetworkId network,
      NoteSigner signer,
      ShardProperties properties) {
    return new StateSigner(
        lookUps, floors, ownership::mapVersion, network, signer, properties.authority());
  }

  @Bean
  DailyMintCap dailyMintCap(AuthorityDatabase database, Clock clock) {
    return new DailyMintCap(database.jdbc(), clock);
  }

  @Bean
  WithdrawnMoney withdrawnMoney(JdbcClient jdbc, Clock clock) {
    return new WithdrawnMoney(jdbc, clock);
  }

  @Bean
  RepeatedJob moneyTotals(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      Outbox outbox,
      NetworkId network,
      NoteSigner signer,
      ShardProperties properties,
      Clock clock) {
    MoneyTotalsPublisher publisher =
        new MoneyTotalsPublisher(
            jdbc, transaction, outbox, network, signer, properties.authority(), clock);
    return new RepeatedJob(
        "money-totals",
        properties.totalsInterval(),
        properties.shard() == MoneyTotalsPublisher.SHARD ? publisher::publish : () -> {});
  }

  @Bean
  RepeatedJob signedCounts(
      ShardStores stores, Outbox outbox, ShardProperties properties, Clock clock) {
    SignedCountPublisher publisher = new SignedCountPublisher(stores, outbox, properties, clock);
    return new RepeatedJob("signed-counts", COUNT_INTERVAL, publisher::publish);
  }
}
