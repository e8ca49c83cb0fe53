package io.solidus.operator.sanctions.policy;

import java.time.Instant;
import org.springframework.stereotype.Service;

/** Compares the policy periods of two times. */
@Service
public class Periods {
  private final PolicyStore store;

  Periods(PolicyStore store) {
    this.store = store;
  }

  /** Whether the policy in force at a time is of a later period than the one in force before. */
  public boolean isLater(Instant before, Instant at) {
    return at.isAfter(before) && period(at) > period(before);
  }

  /** As yyyymm; the highest number without a policy, so that nothing is later than it. */
  private int period(Instant at) {
    return store
        .inForce(at)
        .map(published -> published.policy().period().yyyymm())
        .orElse(Integer.MAX_VALUE);
  }
}
