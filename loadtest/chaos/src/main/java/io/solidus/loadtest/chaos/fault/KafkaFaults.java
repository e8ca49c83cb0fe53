package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.KafkaServer;

/**
 * Kafka is killed, frozen, or stays away. While it is, a policy or a checkpoint is published; when
 * it is back every authority has to have it, by Kafka alone: no page tells.
 */
final class KafkaFaults {

  private final KafkaServer kafka;
  private final Announcements announcements;
  private final Coverage coverage;

  KafkaFaults(KafkaServer kafka, Announcements announcements, Coverage coverage) {
    this.kafka = kafka;
    this.announcements = announcements;
    this.coverage = coverage;
  }

  Fault make(Planned plan) {
    return switch (plan.kind()) {
      case KILL_KAFKA -> new Away(plan.variant(), this::kill, kafka::restart, true);
      case FREEZE_KAFKA -> new Away(plan.variant(), kafka::freeze, kafka::thaw, true);
      // what is told meanwhile has its page, for nobody waits for Kafka
      case KAFKA_ABSENT -> new Away(plan.variant(), this::kill, () -> {}, false);
      default -> throw new IllegalArgumentException(plan + " is no fault of Kafka");
    };
  }

  private void kill() {
    kafka.kill();
    coverage.killedBroker();
  }

  private final class Away implements Fault {
    private final boolean policy;
    private final Runnable strikes;
    private final Runnable heals;
    private final boolean comesBack;
    private Runnable arrives = () -> {};

    Away(boolean policy, Runnable strikes, Runnable heals, boolean comesBack) {
      this.policy = policy;
      this.strikes = strikes;
      this.heals = heals;
      this.comesBack = comesBack;
    }

    @Override
    public void strike() {
      // it may have been absent since an earlier fault
      kafka.restart();
      strikes.run();
      arrives = announcements.tell(policy, comesBack);
    }

    @Override
    public void heal() {
      heals.run();
      arrives.run();
    }
  }
}
