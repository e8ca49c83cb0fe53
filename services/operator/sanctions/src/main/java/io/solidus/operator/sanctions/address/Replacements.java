package io.solidus.operator.sanctions.address;

import io.solidus.operator.sanctions.policy.Periods;
import io.solidus.protocol.SanctionKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Says since when nobody can pay with an address that its owner has lost. */
@Service
class Replacements {
  /**
   * How long validators may still go by an older checkpoint: they take one for ten minutes after it
   * was superseded, and nothing when they have not heard of the newest for a minute.
   */
  private static final Duration OLD_LIST = Duration.ofHours(1);

  /** How long validators take payments of the period before: a day, and the time of a payment. */
  private static final Duration OLD_PERIOD = Duration.ofHours(25);

  private final AddressStore store;
  private final Periods periods;
  private final Clock clock;

  Replacements(AddressStore store, Periods periods, Clock clock) {
    this.store = store;
    this.periods = periods;
    this.clock = clock;
  }

  /**
   * What is known of an address.
   *
   * @param replaced whether two persons said that it is, for good
   * @param published whether the newest checkpoint has it
   * @param laterPeriod whether no payment counts any more in a policy period in which validators
   *     took one with this address: the limits of two addresses are never of one period
   */
  public record Replacement(boolean replaced, boolean published, boolean laterPeriod) {}

  @Transactional(readOnly = true)
  public Replacement of(SanctionKey key) {
    Optional<Instant> replacedAt = store.replacedAt(key);
    Optional<Instant> since = replacedAt.flatMap(at -> store.publishedSince(key, at));
    return new Replacement(
        replacedAt.isPresent(),
        since.isPresent(),
        since
            .map(at -> periods.isLater(at.plus(OLD_LIST), clock.instant().minus(OLD_PERIOD)))
            .orElse(false));
  }
}
