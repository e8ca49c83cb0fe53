package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.FactServer.Way;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.wire.v1.GetStatusReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * New policies and checkpoints while a run is on: who tells them, by which way they go, and when
 * wallets go by them.
 */
public final class Announcements {

  private static final Duration ARRIVES = Duration.ofSeconds(150);

  /** A fact that was published; {@code follow} makes the wallets go by it. */
  private record Fact(
      String name, long version, ToLongFunction<GetStatusReply> known, Runnable follow) {}

  private final Site site;
  private final List<SanctionKey> listed;
  private long policyVersion;
  private long checkpointVersion;
  private int arrived;

  /**
   * @param listed the sanction list in force
   */
  public Announcements(Site site, List<SanctionKey> listed) {
    this.site = site;
    this.listed = new ArrayList<>(listed);
    this.policyVersion = site.realm().rules().policy().version();
    this.checkpointVersion = site.realm().rules().checkpoint().version();
  }

  /** Publishes a checkpoint everywhere; wallets go by it at once. */
  synchronized void checkpointForAll() {
    checkpoint(Way.EVERYWHERE).follow().run();
  }

  /**
   * Publishes a policy, or a checkpoint, while Kafka is away.
   *
   * @param onKafkaAlone whether it may wait for Kafka; otherwise it has its page too
   * @return waits until every authority has it
   */
  public synchronized Runnable tell(boolean policy, boolean onKafkaAlone) {
    Way way = onKafkaAlone ? Way.KAFKA_ONLY : Way.EVERYWHERE;
    Fact fact = policy ? policy(way) : checkpoint(way);
    return () -> await(fact);
  }

  /**
   * How many facts that were told while Kafka was away, or by it alone, reached every authority.
   */
  public synchronized int arrived() {
    return arrived;
  }

  private void await(Fact fact) {
    try {
      // who has it takes the old one only for a while, so wallets do not wait until the last has it
      List<AuthorityProcesses> all = site.cluster().authorities();
      Await.until(
          "an authority has " + fact.name(),
          ARRIVES,
          () -> all.stream().anyMatch(authority -> has(authority, fact)));
      fact.follow().run();
      for (AuthorityProcesses authority : all) {
        Await.until(
            "authority " + authority.index() + " has " + fact.name(),
            ARRIVES,
            () -> has(authority, fact));
      }
      synchronized (this) {
        arrived++;
      }
    } finally {
      site.cluster().facts().reveal();
    }
  }

  private boolean has(AuthorityProcesses authority, Fact fact) {
    for (int shard = 0; shard < site.shards(); shard++) {
      Optional<GetStatusReply> status = site.cluster().status(authority, shard);
      if (status.isEmpty() || fact.known().applyAsLong(status.get()) < fact.version()) {
        return false;
      }
    }
    return true;
  }

  /** The same limits under a new version. */
  private Fact policy(Way way) {
    Policy old = site.realm().rules().policy();
    Policy policy =
        new Policy(
            ++policyVersion,
            old.period(),
            old.maxPerTransfer(),
            old.maxPerPeriod(),
            old.maxHeld(),
            old.maxTransfersPerPeriod(),
            old.mintCapPerDay(),
            System.currentTimeMillis());
    site.cluster().facts().publish(policy, way);
    return new Fact(
        "policy " + policyVersion,
        policyVersion,
        GetStatusReply::getPolicyVersion,
        () -> site.realm().follow(policy));
  }

  private Fact checkpoint(Way way) {
    long version = ++checkpointVersion;
    byte[] key = new byte[SanctionKey.BYTES];
    key[0] = (byte) 0x7f;
    key[1] = (byte) (version >>> 8);
    key[2] = (byte) version;
    listed.add(new SanctionKey(key));
    List<SanctionKey> all = List.copyOf(listed);
    SanctionCheckpoint checkpoint = site.cluster().facts().publish(version, all, way);
    return new Fact(
        "checkpoint " + version,
        version,
        GetStatusReply::getCheckpointVersion,
        () -> site.realm().follow(checkpoint, all));
  }
}
