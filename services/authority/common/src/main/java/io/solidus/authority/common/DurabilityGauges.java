package io.solidus.authority.common;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Whether acknowledged commits survive a crash or a failover, as of the last check. */
record DurabilityGauges(DurableTransactions transactions, int standbys) implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder(
            "solidus.durability.status",
            transactions,
            t -> t.problem().isEmpty() && t.confirmed() ? 1 : 0)
        .description(
            "0 while a setting of the database makes acknowledged commits losable, or no standby confirms them; nothing is reserved or signed then")
        .register(registry);
    Gauge.builder("solidus.durability.standbys", () -> standbys)
        .description("on how many standbys a commit has to be before it counts")
        .register(registry);
  }
}
