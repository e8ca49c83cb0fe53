package io.solidus.authority.signer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The state of the sign-log: whether signatures are given, and if not whether a person has to act.
 */
record SignLogGauges(SignLogSupervisor signLog) implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("solidus.signer.ready.status", signLog, l -> l.problem().isEmpty() ? 1 : 0)
        .description("1 while the sign-log agrees with the database and signatures are given")
        .register(registry);
    for (SignLogSupervisor.State state : SignLogSupervisor.State.values()) {
      Gauge.builder("solidus.signer.log.status", signLog, l -> l.state() == state ? 1 : 0)
          .description(
              "1 for the state the sign-log is in; needs-restart is for a person, healing is not")
          .tag("state", state.label())
          .register(registry);
    }
    FunctionCounter.builder(
            "solidus.signer.log.writes.failed", signLog, SignLogSupervisor::failedWrites)
        .description(
            "failed writes to the sign-log, after each of which it is opened and verified again")
        .register(registry);
  }
}
