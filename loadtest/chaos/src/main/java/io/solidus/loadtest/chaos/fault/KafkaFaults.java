package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.KafkaServer;

/**
 * Kafka is killed, frozen, or stays down. Meanwhile a policy or a checkpoint is published without
 * an HTTP page; when Kafka is back, every authority must receive it through Kafka.
 */
final class KafkaFaults {

  private final KafkaServer kafka;
  private final RulesUpdates rulesUpdates;
  private final Coverage coverage;

  KafkaFaults(KafkaServer kafka, RulesUpdates rulesUpdates, Coverage coverage) {
    this.kafka = kafka;
    this.rulesUpdates = rulesUpdates;
    this.coverage = coverage;
  }

  Fault make(PlannedFault plan) {
    return switch (plan.kind()) {
      case KILL_KAFKA -> new Outage(plan.variant(), this::kill, kafka::restart, true);
      case FREEZE_KAFKA -> new Outage(plan.variant(), kafka::freeze, kafka::thaw, true);
      // the update has its page, because Kafka does not come back
      case KAFKA_ABSENT -> new Outage(plan.variant(), this::kill, () -> {}, false);
      default -> throw new IllegalArgumentException(plan + " is not a Kafka fault");
    };
  }

  private void kill() {
    kafka.kill();
    coverage.killedBroker();
  }

  private final class Outage implements Fault {
    private final boolean policy;
    private final Runnable strikes;
    private final Runnable heals;
    private final boolean comesBack;
    private Runnable arrives = () -> {};

    Outage(boolean policy, Runnable strikes, Runnable heals, boolean comesBack) {
      this.policy = policy;
      this.strikes = strikes;
      this.heals = heals;
      this.comesBack = comesBack;
    }

    @Override
    public void strike() {
      // Kafka may be down since an earlier fault
      kafka.restart();
      strikes.run();
      arrives = rulesUpdates.tell(policy, comesBack);
    }

    @Override
    public void heal() {
      heals.run();
      arrives.run();
    }
  }
}
