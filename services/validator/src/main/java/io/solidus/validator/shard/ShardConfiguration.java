package io.solidus.validator.shard;

import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.notes.NoteSigners;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.outbox.Outbox;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ShardMap;
import io.solidus.prover.KeySet;
import io.solidus.validator.authority.AuthorityDatabase;
import io.solidus.validator.authority.InternalCalls;
import io.solidus.validator.authority.InternalToken;
import io.solidus.validator.authority.Issuers;
import io.solidus.validator.authority.Periodically;
import io.solidus.validator.facts.AdmissionRule;
import io.solidus.validator.facts.AdmissionWindows;
import io.solidus.validator.facts.FactBook;
import io.solidus.validator.facts.FactNotes;
import io.solidus.validator.facts.FactStore;
import io.solidus.validator.facts.RootCheck;
import io.solidus.validator.intake.IntakeConfiguration;
import io.solidus.validator.shard.ShardProperties.Peer;
import io.solidus.wire.v1.ShardServiceGrpc;
import io.solidus.wire.v1.SignerServiceGrpc;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts a shard together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ShardProperties.class)
@Import(IntakeConfiguration.class)
public class ShardConfiguration {

  private static final Duration COUNT_INTERVAL = Duration.ofSeconds(1);

  @Bean
  NetworkId networkId(ShardProperties properties) {
    return new NetworkId(properties.networkId());
  }

  @Bean(destroyMethod = "close")
  KeySet keySet(ShardProperties properties, NetworkId network) {
    byte[] manifestKey = Base64.getDecoder().decode(properties.manifestKey());
    return KeySet.open(
        properties.keysDir(), network, properties.networkKind(), properties.allowedKeyClasses(), manifestKey);
  }

  @Bean
  Committee committee(KeySet keys) {
    return keys.committee();
  }

  @Bean
  NoteSigner noteSigner(ShardProperties properties, Committee committee) {
    int authority = properties.authority();
    NoteSigner signer = NoteSigners.load(CommitteeMember.noteName(authority), properties.noteKeyFile());
    if (!signer.publicKey().equals(committee.member(authority).countersigner())) {
      throw new IllegalStateException("the note key is not the one the manifest names for this authority");
    }
    return signer;
  }

  @Bean
  InternalToken internalToken(ShardProperties properties) {
    return InternalToken.read(properties.noteKeyFile());
  }

  @Bean
  ShardMap shardMap(ShardProperties properties) {
    int shards = properties.shards().size();
    boolean complete = properties.shards().stream().map(Peer::index).distinct().filter(i -> i < shards).count() == shards;
    if (!complete || properties.shard() >= shards) {
      throw new IllegalStateException("solidus.validator.shards must list the shards 0 to n-1 once each, this one included");
    }
    return ShardMap.equal(properties.authority(), properties.shardMapVersion(), shards);
  }

  @Bean
  AuthorityDatabase authorityDatabase(DataSource database) {
    return AuthorityDatabase.open(database);
  }

  @Bean
  Ownership ownership(JdbcClient jdbc, AuthorityDatabase safe, ShardMap map, ShardProperties properties) {
    Ownership ownership = new Ownership(jdbc, map, properties.shard());
    ownership.establish();
    return ownership;
  }

  @Bean
  SerialStore serialStore(JdbcClient jdbc, Ownership ownership) {
    return new SerialStore(jdbc, ownership);
  }

  @Bean
  CoreStore coreStore(JdbcClient jdbc, Clock clock) {
    return new CoreStore(jdbc, clock);
  }

  @Bean
  MintCap mintCap(AuthorityDatabase database, Clock clock) {
    return new MintCap(database.jdbc(), clock);
  }

  @Bean
  AdmissionWindows admissionWindows(ShardProperties p) {
    return new AdmissionWindows(p.policyGrace(), p.periodGrace(), p.heartbeatMaxAge());
  }

  @Bean
  AdmissionRule admissionRule(ShardProperties properties, AdmissionWindows windows) {
    return new AdmissionRule(properties.networkKind(), windows);
  }

  @Bean
  FactStore factStore(AuthorityDatabase database) {
    return new FactStore(database.jdbc());
  }

  @Bean
  FactNotes factNotes(NetworkId network, NoteTrust trust) {
    Issuers issuers = Issuers.of(trust);
    return new FactNotes(network, issuers.policy(), issuers.sanctions());
  }

  @Bean
  RootCheck rootCheck(NetworkId network) {
    return new RootCheck(network);
  }

  @Bean
  FactBook factBook(FactStore store, FactNotes notes, RootCheck roots, AdmissionWindows windows, Clock clock) {
    FactBook book = new FactBook(store, notes, roots, windows, clock);
    book.refresh();
    return book;
  }

  @Bean
  Periodically factRefresh(FactBook book, ShardProperties properties) {
    return new Periodically("fact-refresh", properties.refreshInterval(), book::refresh);
  }

  @Bean
  Signer signerClient(GrpcChannels channels, InternalToken token, ShardProperties properties) {
    return new Signer(
        SignerServiceGrpc.newBlockingStub(channels.to(properties.signer()))
            .withInterceptors(InternalCalls.show(token)),
        properties.callDeadline());
  }

  @Bean
  Siblings siblings(GrpcChannels channels, InternalToken token, Ownership ownership, ShardProperties properties) {
    Map<Integer, Siblings.Stubs> stubs = new HashMap<>();
    for (Peer peer : properties.shards()) {
      if (peer.index() != properties.shard()) {
        var channel = channels.to(peer.address());
        stubs.put(
            peer.index(),
            new Siblings.Stubs(
                ValidatorServiceGrpc.newBlockingStub(channel),
                ShardServiceGrpc.newBlockingStub(channel).withInterceptors(InternalCalls.show(token))));
      }
    }
    return new Siblings(stubs, ownership, properties.callDeadline());
  }

  @Bean
  @ConditionalOnMissingBean
  Failpoints failpoints() {
    return step -> {};
  }

  @Bean
  Submissions submissions(
      NetworkId network,
      ShardProperties properties,
      Committee committee,
      Submissions.Stores stores,
      Submissions.Neighbours neighbours,
      FactBook book,
      AdmissionRule rule,
      Failpoints failpoints,
      TransactionTemplate transaction,
      Clock clock) {
    return new Submissions(
        new Submissions.ShardIdentity(network, properties.networkKind(), committee),
        stores,
        neighbours,
        new Submissions.Admissions(book, rule, clock),
        failpoints,
        transaction);
  }

  @Bean
  Submissions.Stores stores(Ownership ownership, SerialStore serials, CoreStore cores, MintCap mintCap) {
    return new Submissions.Stores(ownership, serials, cores, mintCap);
  }

  @Bean
  Submissions.Neighbours neighbours(Siblings siblings, Signer signer) {
    return new Submissions.Neighbours(siblings, signer);
  }

  @Bean
  StatusReport statusReport(
      NetworkId network,
      ShardProperties properties,
      ShardMap map,
      Committee committee,
      NoteSigner signer,
      FactBook book,
      AdmissionRule rule,
      CoreStore cores,
      Clock clock) {
    return new StatusReport(network, properties, map, committee.epoch(), signer, book, rule, cores, clock);
  }

  @Bean
  ShardMetrics shardMetrics(MeterRegistry registry, FactBook book, AdmissionRule rule, Clock clock) {
    return new ShardMetrics(registry, book, rule, clock);
  }

  @Bean
  ValidatorEndpoint validatorEndpoint(
      Submissions submissions,
      Ownership ownership,
      Submissions.Stores stores,
      StatusReport status,
      ShardMetrics metrics,
      ShardProperties properties) {
    LookUps lookUps = new LookUps(ownership, stores.serials(), stores.cores());
    return new ValidatorEndpoint(submissions, lookUps, status, metrics, properties.maxInFlight());
  }

  @Bean
  ShardEndpoint shardEndpoint(Ownership ownership, SerialStore serials, TransactionTemplate transaction) {
    return new ShardEndpoint(ownership, serials, transaction);
  }

  @Bean
  @GlobalServerInterceptor
  ServerInterceptor siblingsOnly(InternalToken token) {
    return InternalCalls.require(token, Set.of(ShardServiceGrpc.getReserveMethod().getFullMethodName()));
  }

  @Bean
  Periodically spentEvents(
      CoreStore cores, Outbox outbox, TransactionTemplate transaction, ShardProperties properties, Clock clock) {
    SpentEvents events = new SpentEvents(cores, outbox, transaction, properties, clock);
    return new Periodically("spent-events", COUNT_INTERVAL, events::publish);
  }
}
