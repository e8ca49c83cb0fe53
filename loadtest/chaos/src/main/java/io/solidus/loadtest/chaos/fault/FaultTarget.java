package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.load.TestNetwork;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The committee that faults strike, and how.
 *
 * @param apart authorities whose signer and shards are processes of their own
 * @param small authorities whose database and sign-log are on small volumes; empty where volumes
 *     cannot be mounted
 */
public record FaultTarget(
    Cluster cluster,
    TestNetwork network,
    SmallVolumes volumes,
    int shards,
    List<Integer> apart,
    List<Integer> small,
    Path folder) {

  public static final String DATABASE_SIZE = "768m";
  public static final String LOG_SIZE = "64m";
  private static final String ALL = "all";

  AuthorityProcesses authority(int index) {
    return cluster.authority(index);
  }

  public static Path databaseFolder(Path folder, int authority) {
    return folder.resolve("postgres-" + authority);
  }

  public static Path logFolder(Path folder, int authority) {
    return folder.resolve("authority-" + authority).resolve("log");
  }

  /** The process that runs a shard. */
  public String shardProcess(int authority, int shard) {
    return apart.contains(authority) ? AuthorityProcesses.shardName(shard) : ALL;
  }

  String signerProcess(int authority) {
    return apart.contains(authority) ? "signer" : ALL;
  }

  public List<Integer> targets(FaultKind kind) {
    return switch (kind) {
      case DISK_FULL, LOG_FULL -> small;
      case POWER_LOSS, CLOCK_JUMP -> where(authority -> authority.machine().isPresent());
      case FAIL_OVER -> where(authority -> authority.replicas().isPresent());
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT, REFRESH_SHARES, CHANGE_NOTE_KEY -> List.of();
      case KILL_SIGNER -> apart.isEmpty() ? allAuthorities() : apart;
      default -> allAuthorities();
    };
  }

  /** The kinds of faults that are impossible on this machine, with the reason. */
  public Map<FaultKind, String> impossible() {
    Map<FaultKind, String> reasons = new EnumMap<>(FaultKind.class);
    if (small.isEmpty()) {
      String reason = "small volumes cannot be mounted on this machine";
      reasons.put(FaultKind.DISK_FULL, reason);
      reasons.put(FaultKind.LOG_FULL, reason);
    }
    if (targets(FaultKind.POWER_LOSS).isEmpty()) {
      String reason = "no C compiler is on this machine";
      reasons.put(FaultKind.POWER_LOSS, reason);
      reasons.put(FaultKind.CLOCK_JUMP, reason);
    }
    if (cluster.kafka().isEmpty()) {
      for (FaultKind kind : FaultKind.values()) {
        if (kind.needsKafka()) {
          reasons.put(kind, "no Kafka is part of this run");
        }
      }
    }
    return reasons;
  }

  private List<Integer> allAuthorities() {
    return where(authority -> true);
  }

  private List<Integer> where(Predicate<AuthorityProcesses> condition) {
    return cluster.authorities().stream().filter(condition).map(AuthorityProcesses::index).toList();
  }
}
