package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.RulesPublisher.Channel;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.wire.v1.GetStatusReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Publishes new policies and checkpoints during a run, and switches the wallets to them. */
public final class RulesUpdates {

  private static final Duration ARRIVES = Duration.ofSeconds(150);

  /** A policy or checkpoint that was published; {@code follow} switches the wallets to it. */
  private record Update(
      String name, long version, ToLongFunction<GetStatusReply> known, Runnable follow) {}

  private final FaultTarget target;
  private final List<SanctionKey> listed;
  private long policyVersion;
  private long checkpointVersion;
  private int arrived;

  /**
   * @param listed the sanction list in force
   */
  public RulesUpdates(FaultTarget target, List<SanctionKey> listed) {
    this.target = target;
    this.listed = new ArrayList<>(listed);
    this.policyVersion = target.network().rules().policy().version();
    this.checkpointVersion = target.network().rules().checkpoint().version();
  }

  /** Publishes a checkpoint everywhere and switches the wallets at once. */
  synchronized void checkpointForAll() {
    checkpoint(Channel.EVERYWHERE).follow().run();
  }

  /**
   * Publishes a policy or a checkpoint while Kafka is unavailable.
   *
   * @param onKafkaAlone whether it has no HTTP page, so that it must wait for Kafka
   * @return a task that waits until every authority has it
   */
  public synchronized Runnable tell(boolean policy, boolean onKafkaAlone) {
    Channel channel = onKafkaAlone ? Channel.KAFKA_ONLY : Channel.EVERYWHERE;
    Update update = policy ? policy(channel) : checkpoint(channel);
    return () -> await(update);
  }

  /**
   * The number of updates, published while Kafka was unavailable or by Kafka alone, that reached
   * every authority.
   */
  public synchronized int arrived() {
    return arrived;
  }

  private void await(Update update) {
    try {
      // authorities accept the old version for a grace period only, so wallets switch at the first
      // one
      List<AuthorityProcesses> all = target.cluster().authorities();
      Await.until(
          "an authority has " + update.name(),
          ARRIVES,
          () -> all.stream().anyMatch(authority -> has(authority, update)));
      update.follow().run();
      for (AuthorityProcesses authority : all) {
        Await.until(
            "authority " + authority.index() + " has " + update.name(),
            ARRIVES,
            () -> has(authority, update));
      }
      synchronized (this) {
        arrived++;
      }
    } finally {
      target.cluster().rules().reveal();
    }
  }

  private boolean has(AuthorityProcesses authority, Update update) {
    for (int shard = 0; shard < target.shards(); shard++) {
      Optional<GetStatusReply> status = target.cluster().status(authority, shard);
      if (status.isEmpty() || update.known().applyAsLong(status.get()) < update.version()) {
        return false;
      }
    }
    return true;
  }

  /** The same limits under a new version. */
  private Update policy(Channel channel) {
    Policy old = target.network().rules().policy();
    Policy policy =
        new Policy(
            ++policyVersion,
            old.period(),
            old.maxPerTransfer(),
            old.maxPerPeriod(),
            old.maxHeld(),
            old.maxEscrow(),
            old.maxTransfersPerPeriod(),
            old.mintCapPerDay(),
            System.currentTimeMillis());
    target.cluster().rules().publish(policy, channel);
    return new Update(
        "policy " + policyVersion,
        policyVersion,
        GetStatusReply::getPolicyVersion,
        () -> target.network().follow(policy));
  }

  private Update checkpoint(Channel channel) {
    long version = ++checkpointVersion;
    byte[] key = new byte[SanctionKey.BYTES];
    key[0] = (byte) 0x7f;
    key[1] = (byte) (version >>> 8);
    key[2] = (byte) version;
    listed.add(new SanctionKey(key));
    List<SanctionKey> all = List.copyOf(listed);
    SanctionCheckpoint checkpoint = target.cluster().rules().publish(version, all, channel);
    return new Update(
        "checkpoint " + version,
        version,
        GetStatusReply::getCheckpointVersion,
        () -> target.network().follow(checkpoint, all));
  }
}
