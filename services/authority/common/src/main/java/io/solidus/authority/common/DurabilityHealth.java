package io.solidus.authority.common;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reports out of service while a setting of the database makes acknowledged commits losable. */
final class DurabilityHealth implements HealthIndicator {

  private final DurableTransactions transactions;

  DurabilityHealth(DurableTransactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public Health health() {
    return transactions.problem().isEmpty() ? Health.up().build() : Health.outOfService().build();
  }
}
