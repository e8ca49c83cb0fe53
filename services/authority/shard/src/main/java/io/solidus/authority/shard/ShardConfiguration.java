package io.solidus.authority.shard;

import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.authority.common.Issuers;
import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.common.facts.FactNotes;
import io.solidus.authority.common.facts.FactStore;
import io.solidus.authority.common.facts.RootCheck;
import io.solidus.authority.shard.Submitted.Mint;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.shard.intake.IntakeConfiguration;
import io.solidus.authority.shard.range.AcrossMaps;
import io.solidus.authority.shard.range.Beginning;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Ranges;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.SpendPipeline;
import io.solidus.authority.spend.batch.BatchLimits;
import io.solidus.authority.spend.batch.BatchWork;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.authority.spend.batch.Turns;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.platform.grpc.GrpcChannels;
import io.solidus.platform.grpc.ShardAddresses;
import io.solidus.platform.notes.NoteSigners;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.time.Periodically;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.ShardServiceGrpc;
import io.solidus.wire.v1.SignerServiceGrpc;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
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
  InternalToken internalToken(ShardProperties properties) {
    return InternalToken.read(properties.noteKeyFile());
  }

  @Bean
  ShardAddresses shardAddresses(ShardProperties properties) {
    return properties.addresses();
  }

  @Bean
  ShardMaps shardMaps(
      AuthorityDatabase database,
      NetworkId network,
      ShardProperties properties,
      NoteSigner signer) {
    return new ShardMaps(database.jdbc(), network, properties.authority(), signer.publicKey());
  }

  @Bean
  Ownership ownership(
      JdbcClient jdbc,
      ShardMaps maps,
      TransactionTemplate transaction,
      NetworkId network,
      NoteSigner signer,
      ShardProperties properties) {
    Beginning beginning = new Beginning(jdbc, transaction, network, signer);
    beginning.establishMap(properties.authority(), properties.firstShards());
    beginning.establishRange(maps, properties.shard());
    return new Ownership(jdbc, maps, properties.shard());
  }

  @Bean
  Periodically shardMapRefresh(Ownership ownership, ShardProperties properties) {
    return new Periodically("shard-map-refresh", properties.refreshInterval(), ownership::refresh);
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
  AdmissionRule admissionRule(NetworkKind kind, AdmissionWindows windows) {
    return new AdmissionRule(kind, windows);
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
  FactBook factBook(
      FactStore store, FactNotes notes, RootCheck roots, AdmissionWindows windows, Clock clock) {
    FactBook book = new FactBook(store, notes, roots, windows, clock);
    book.refresh();
    return book;
  }

  @Bean
  Periodically factRefresh(FactBook book, ShardProperties properties) {
    return new Periodically("fact-refresh", properties.refreshInterval(), book::refresh);
  }

  @Bean
  SignerCalls signerCalls(GrpcChannels channels, InternalToken token, ShardProperties properties) {
    return new SignerCalls(
        SignerServiceGrpc.newBlockingStub(channels.to(properties.signer()))
            .withInterceptors(InternalCalls.show(token)),
        properties.callDeadline());
  }

  @Bean
  Siblings siblings(
      GrpcChannels channels,
      InternalToken token,
      Ownership ownership,
      ShardAddresses addresses,
      ShardProperties properties) {
    return new GrpcSiblings(
        shard ->
            addresses
                .of(shard)
                .map(channels::to)
                .map(channel ->
                    ShardServiceGrpc.newFutureStub(channel)
                        .withInterceptors(InternalCalls.show(token))),
        ownership::mapVersion,
        properties.callDeadline());
  }

  @Bean
  @ConditionalOnMissingBean
  Failpoints failpoints() {
    return step -> {};
  }

  @Bean
  Supplier<Ranges> ranges(Ownership ownership) {
    return ownership::ranges;
  }

  @Bean
  FactAdmission factAdmission(
      NetworkId network, Committee committee, FactBook book, AdmissionRule rule, Clock clock) {
    return new FactAdmission(network, committee, book, rule, clock);
  }

  @Bean
  MintRules mintRules(FactBook book, AdmissionRule rule, MintCap cap, Clock clock) {
    return new MintRules(book, rule, cap, clock);
  }

  /** Of the workers on transfers. */
  @Bean
  Turns transferTurns(ShardProperties properties) {
    return properties.batch().turns();
  }

  @Bean
  SpendPipeline<Transfer, PartialSignature> transferPipeline(
      Supplier<Ranges> ranges,
      FactAdmission admission,
      Stores stores,
      Siblings siblings,
      SignerCalls signer,
      Failpoints failpoints,
      Turns turns,
      ShardMetrics metrics) {
    Function<String, Timed.Stage> stages = stage -> metrics.stage("transfer", stage);
    return new SpendPipeline<>(
        ranges,
        Timed.admission(admission, stages),
        Timed.ledger(stores.<Transfer>ledger(spends -> {}), stages),
        Timed.siblings(siblings, stages),
        new PassingOn<>(Timed.signer(new TransferSigner(signer), stages), turns),
        failpoints);
  }

  @Bean
  SpendPipeline<Mint, PartialSignature> mintPipeline(
      Supplier<Ranges> ranges,
      MintRules rules,
      Stores stores,
      Siblings siblings,
      SignerCalls signer,
      Failpoints failpoints,
      ShardMetrics metrics) {
    Function<String, Timed.Stage> stages = stage -> metrics.stage("mint", stage);
    return new SpendPipeline<>(
        ranges,
        Timed.admission(rules, stages),
        Timed.ledger(stores.ledger(rules), stages),
        siblings,
        Timed.signer(new MintSigner(signer), stages),
        failpoints);
  }

  @Bean
  Stores stores(
      Ownership ownership, SerialStore serials, CoreStore cores, TransactionTemplate transaction) {
    return new Stores(ownership, serials, cores, transaction);
  }

  /** The shard's tables. */
  record Stores(
      Ownership ownership, SerialStore serials, CoreStore cores, TransactionTemplate transaction) {

    <R extends Submitted> SqlLedger<R> ledger(SqlLedger.FirstTime<R> firstTime) {
      return new SqlLedger<>(ownership, serials, cores, transaction, firstTime);
    }
  }

  @Bean
  Decoding decoding(NetworkId network, NetworkKind kind) {
    return new Decoding(network, kind);
  }

  /**
   * Closed after the server, which waits for its calls, and before everything that batches need.
   */
  @Bean(destroyMethod = "close")
  Batcher<Queued<io.solidus.wire.v1.TransferRequest>, PartialSignature> transferQueue(
      Decoding decoding,
      ShardProperties properties,
      Ownership ownership,
      SpendPipeline<Transfer, PartialSignature> pipeline,
      Turns turns,
      ShardMetrics metrics,
      Spans spans) {
    BatchWork<io.solidus.wire.v1.TransferRequest, PartialSignature> work =
        submissions(decoding::transfer, ownership, pipeline);
    return queue(
        "transfers",
        "transfer",
        properties.batch().transfers(),
        Queued.traced("transfer", work, spans),
        turns,
        metrics);
  }

  @Bean(destroyMethod = "close")
  Batcher<Queued<io.solidus.wire.v1.MintRequest>, PartialSignature> mintQueue(
      Decoding decoding,
      ShardProperties properties,
      Ownership ownership,
      SpendPipeline<Mint, PartialSignature> pipeline,
      ShardMetrics metrics,
      Spans spans) {
    BatchLimits limits = properties.batch().mints();
    BatchWork<io.solidus.wire.v1.MintRequest, PartialSignature> work =
        Submissions.asMints(submissions(decoding::mint, ownership, pipeline));
    return queue(
        "mints",
        "mint",
        limits,
        Queued.traced("mint", work, spans),
        new Turns(limits.workers()),
        metrics);
  }

  /** From messages to answers, over a change of the shard map in mid-flight. */
  private static <M, R extends Submitted> Submissions<M, R> submissions(
      Function<M, Spend<R>> decode,
      Ownership ownership,
      SpendPipeline<R, PartialSignature> pipeline) {
    return new Submissions<>(
        decode, new AcrossMaps<>(ownership::ranges, ownership::refresh, pipeline::run));
  }

  private static <M> Batcher<M, PartialSignature> queue(
      String name,
      String kind,
      BatchLimits limits,
      BatchWork<M, PartialSignature> work,
      Turns turns,
      ShardMetrics metrics) {
    Batcher<M, PartialSignature> queue =
        new Batcher<>(name, limits, work, turns, metrics.watcher(kind));
    metrics.queue(kind, queue);
    return queue;
  }

  @Bean
  StatusReport statusReport(
      ShardProperties properties,
      Ownership ownership,
      Committee committee,
      NoteSigner signer,
      FactBook book,
      AdmissionRule rule,
      CoreStore cores,
      Clock clock) {
    return new StatusReport(
        properties, ownership, committee.epoch(), signer, book, rule, cores, clock);
  }

  @Bean
  ShardMetrics shardMetrics(
      MeterRegistry registry, Spans spans, FactBook book, AdmissionRule rule, Clock clock) {
    return new ShardMetrics(registry, spans, book, rule, clock);
  }

  @Bean
  ValidatorEndpoint validatorEndpoint(
      Batcher<Queued<io.solidus.wire.v1.TransferRequest>, PartialSignature> transfers,
      Batcher<Queued<io.solidus.wire.v1.MintRequest>, PartialSignature> mints,
      Ownership ownership,
      Stores stores,
      StatusReport status,
      ShardMetrics metrics,
      ShardProperties properties) {
    LookUps lookUps = new LookUps(ownership, stores.serials(), stores.cores());
    return new ValidatorEndpoint(
        new ValidatorEndpoint.Queues(transfers, mints),
        lookUps,
        status,
        ownership::mapNote,
        metrics,
        properties.maxLookUps());
  }

  @Bean
  ShardEndpoint shardEndpoint(Ownership ownership, Stores stores, ShardProperties properties) {
    Reservations reservations = new Reservations(stores.serials(), stores.transaction());
    return new ShardEndpoint(
        ownership, stores.serials(), reservations, properties.maxSiblingCalls());
  }

  @Bean
  @GlobalServerInterceptor
  ServerInterceptor siblingsOnly(InternalToken token) {
    return InternalCalls.require(
        token,
        Set.of(
            ShardServiceGrpc.getHoldersMethod().getFullMethodName(),
            ShardServiceGrpc.getReserveAllMethod().getFullMethodName()));
  }

  @Bean
  Periodically spentEvents(
      CoreStore cores,
      Outbox outbox,
      TransactionTemplate transaction,
      ShardProperties properties,
      Clock clock) {
    SpentEvents events = new SpentEvents(cores, outbox, transaction, properties, clock);
    return new Periodically("spent-events", COUNT_INTERVAL, events::publish);
  }
}
