package io.solidus.operator.sanctions.policy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.operator.sanctions.approval.Proposals;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Proposes the next month with the limits of this one, and measures how far months are covered by
 * approved policies. A month without a policy of its own goes on with the former month's counters:
 * nobody's monthly limit starts anew.
 */
@Component
public class MonthTurn {
  /** Proposes in the name of the service; it cannot approve. */
  static final String ACTOR = Proposals.SYSTEM + "month";

  private static final String REASON = "another policy has come into force or was approved";
  private static final Logger log = LoggerFactory.getLogger(MonthTurn.class);

  /** A policy may take effect a little after its month began. */
  private static final Duration LATE = Duration.ofHours(1);

  private final PolicyStore store;
  private final Proposals proposals;
  private final Duration proposedBefore;
  private final Clock clock;
  private volatile Instant coveredUntil = Instant.EPOCH;

  MonthTurn(
      PolicyStore store,
      Proposals proposals,
      SanctionsProperties properties,
      Clock clock,
      MeterRegistry metrics) {
    this.store = store;
    this.proposals = proposals;
    // so that it can be approved until the month begins
    this.proposedBefore = properties.proposalValidity();
    this.clock = clock;
    Gauge.builder("solidus.sanctions.policy.covered", this, MonthTurn::coveredSeconds)
        .baseUnit("seconds")
        .register(metrics);
  }

  /** The time until the first month for which no policy is approved; never negative. */
  private double coveredSeconds() {
    return Math.max(0, Duration.between(clock.instant(), coveredUntil).toSeconds());
  }

  /** Measures, and proposes what is missing. */
  @Transactional
  public void run() {
    // two instances propose one month once
    store.lock();
    Instant now = clock.instant();
    YearMonth present = NextPolicy.month(now);
    Instant start = start(present.plusMonths(1));
    boolean presentCovered = covers(now, present);
    boolean nextCovered = presentCovered && covers(start.plus(LATE), present.plusMonths(1));
    coveredUntil =
        !presentCovered ? Instant.EPOCH : nextCovered ? start(present.plusMonths(2)) : start;
    Policy today = store.inForce(now).map(PublishedPolicy::policy).orElse(null);
    YearMonth missing = null;
    if (!presentCovered) {
      missing = present;
    } else if (!nextCovered && !now.plus(proposedBefore).isBefore(start)) {
      missing = present.plusMonths(1);
    }
    if (today == null || missing == null || store.halted()) {
      proposals.withdraw(ACTOR, null, REASON);
      return;
    }
    propose(missing, today, now);
  }

  private boolean covers(Instant at, YearMonth month) {
    return store
        .inForce(at)
        .filter(policy -> policy.policy().period().compareTo(NextPolicy.period(month)) >= 0)
        .isPresent();
  }

  /** Proposes a month once for each policy, and again when the proposal has expired. */
  private void propose(YearMonth month, Policy today, Instant now) {
    Period period = NextPolicy.period(month);
    String prefix = "month-" + period.yyyymm() + "-" + today.version() + "-";
    proposals.withdraw(ACTOR, prefix, REASON);
    if (proposals.waitsOrIsDecided(ACTOR, prefix)) {
      return;
    }
    PolicyLimits limits = PolicyLimits.of(today, period, start(month).toEpochMilli());
    proposals.propose(ProposalKind.POLICY, limits, ACTOR, prefix + now.toEpochMilli());
    log.info("period {} proposed with the limits of policy {}", period.yyyymm(), today.version());
  }

  private static Instant start(YearMonth month) {
    return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
  }
}
