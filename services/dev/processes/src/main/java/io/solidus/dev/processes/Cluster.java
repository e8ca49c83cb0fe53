package io.solidus.dev.processes;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.Amount;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.ValidatorServiceGrpc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A committee: authorities as processes, with a policy and a sanction checkpoint in force. */
public final class Cluster implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int CALL_SECONDS = 5;

  private final ClusterOptions options;
  private final RulesPublisher rules;
  private @Nullable KafkaServer kafka;
  private final List<DatabaseServers> databases = new ArrayList<>();
  private final List<AuthorityProcesses> authorities = new ArrayList<>();
  private final Policy policy;
  private final SanctionCheckpoint checkpoint;

  private Cluster(ClusterOptions options, Policy policy, List<SanctionKey> sanctioned) {
    this.options = options;
    this.policy = policy;
    this.rules = new RulesPublisher(options.network().id());
    rules.publish(policy);
    this.checkpoint = rules.publish(1, sanctioned);
  }

  /** A policy with generous limits, in force at once. */
  public static Policy policy(int period) {
    return new Policy(
        1,
        new Period(period),
        Amount.of(1_000_000),
        Amount.of(1_000_000_000_000L),
        Amount.of(5_000_000_000_000L),
        Amount.ZERO,
        1_000_000,
        Amount.of(1_000_000_000L),
        System.currentTimeMillis());
  }

  /**
   * Starts everything and waits until it serves.
   *
   * @param sanctioned at least one
   */
  public static Cluster start(ClusterOptions options, Policy policy, List<SanctionKey> sanctioned) {
    Cluster cluster = new Cluster(options, policy, sanctioned);
    try {
      cluster.startAll();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  public List<AuthorityProcesses> authorities() {
    return List.copyOf(authorities);
  }

  /** An authority by its index, 1 to N. */
  public AuthorityProcesses authority(int index) {
    return authorities.get(index - 1);
  }

  public NetworkId network() {
    return options.network().id();
  }

  public RulesPublisher rules() {
    return rules;
  }

  public Policy policy() {
    return policy;
  }

  public SanctionCheckpoint checkpoint() {
    return checkpoint;
  }

  /** The broker; empty if the options ask for none. */
  public Optional<KafkaServer> kafka() {
    return Optional.ofNullable(kafka);
  }

  /** The status of a shard, asked on its own port; empty if it does not answer. */
  public Optional<GetStatusReply> status(AuthorityProcesses authority, int shard) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", authority.shardPort(shard))
            .usePlaintext()
            .build();
    try {
      return status(channel);
    } finally {
      channel.shutdownNow();
    }
  }

  /** Waits until every shard of an authority serves under the newest policy and checkpoint. */
  public void awaitServing(AuthorityProcesses authority) {
    for (int shard = 0; shard < options.shards(); shard++) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", authority.clientPort(shard))
              .usePlaintext()
              .build();
      try {
        Await.until(
            "shard " + shard + " of authority " + authority.index() + " accepts",
            LIMIT,
            () -> accepts(channel));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /** Stops the processes of all authorities in order; their databases stay. */
  public void stopAuthorities() {
    authorities.forEach(AuthorityProcesses::requestStop);
    authorities.forEach(AuthorityProcesses::close);
  }

  @Override
  public void close() {
    stopAuthorities();
    databases.forEach(DatabaseServers::close);
    rules.close();
    kafka().ifPresent(KafkaServer::close);
  }

  private void startAll() {
    startKafka();
    databases.addAll(
        IntStream.rangeClosed(1, options.authorities())
            .parallel()
            .mapToObj(this::database)
            .toList());
    for (int index = 1; index <= options.authorities(); index++) {
      authorities.add(
          new AuthorityProcesses(options, index, rules, databases.get(index - 1), kafka));
    }
    authorities.forEach(AuthorityProcesses::launch);
    authorities.forEach(AuthorityProcesses::awaitReady);
    authorities.forEach(this::awaitServing);
  }

  private DatabaseServers database(int index) {
    Path folder = options.folder().resolve("postgres-" + index);
    if (options.replicated().contains(index)) {
      return DatabaseServers.replicated(PrimaryAndStandby.start(folder, options.database()));
    }
    Optional<FaultyMachine> machine =
        options.faultyMachines()
            ? FaultyMachine.make(options.folder().resolve("machine-" + index))
            : Optional.empty();
    return DatabaseServers.single(
        machine
            .map(faulty -> PostgresServer.start(folder, options.database(), faulty))
            .orElseGet(() -> PostgresServer.start(folder, options.database())),
        machine);
  }

  private void startKafka() {
    Path library = options.kafkaLibrary();
    if (library != null) {
      KafkaServer started = KafkaServer.start(options.folder().resolve("kafka"), library);
      kafka = started;
      started.createTopics(List.of(Topics.POLICY, Topics.SANCTIONS_CHECKPOINTS, Topics.SPENT));
      rules.relayTo(started.bootstrapServers());
    }
  }

  private boolean accepts(ManagedChannel channel) {
    return status(channel)
        .filter(status ->
            status.getAccepting()
                && status.getPolicyVersion() >= policy.version()
                && status.getCheckpointVersion() >= checkpoint.version())
        .isPresent();
  }

  private static Optional<GetStatusReply> status(ManagedChannel channel) {
    try {
      return Optional.of(
          ValidatorServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
              .getStatus(GetStatusRequest.getDefaultInstance()));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }
}
