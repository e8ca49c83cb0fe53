package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.RegistrationProperties.Kept;
import io.solidus.operator.registration.RegistrationProperties.RetentionSettings;
import io.solidus.platform.security.Operator;
import java.time.Clock;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Says what is held of a person, and erases it: when its time is over, or at her request. */
public final class ErasureService {
  private static final Logger log = LoggerFactory.getLogger(ErasureService.class);
  private static final String SYSTEM = Operator.SYSTEM + "retention";
  private static final int BATCH = 200;

  private final CaseStore cases;
  private final ErasureStore erasures;
  private final SealingService sealing;
  private final CaseDecisionService decisions;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final RetentionSettings retention;

  ErasureService(
      CaseStore cases,
      ErasureStore erasures,
      SealingService sealing,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      RetentionSettings retention) {
    this.cases = cases;
    this.erasures = erasures;
    this.sealing = sealing;
    this.decisions = decisions;
    this.transaction = transaction;
    this.clock = clock;
    this.retention = retention;
  }

  /**
   * All cases of a case's person at its bank, the earliest first; that somebody read them for her
   * is recorded in each.
   */
  public List<CaseDecisionService.CaseWithEvents> export(UUID id, String officer) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transaction.execute(status -> {
          List<UUID> all = erasures.all(id);
          if (all.isEmpty()) {
            throw CaseDecisionService.notFound();
          }
          return all.stream()
              .map(each -> {
                cases.addEvent(each, officer, "exported for the person", now);
                return decisions.file(cases.find(each).orElseThrow());
              })
              .toList();
        }));
  }

  /** Erases what is no longer kept; one round of the job. Several replicas may do it at once. */
  void eraseDue() {
    erase(ErasureStore.Rule.REFUSED, retention.refused(), erasures::refusedBefore);
    erase(ErasureStore.Rule.CLOSED, retention.closed(), erasures::closedBefore);
  }

  private void erase(
      ErasureStore.Rule rule, Kept kept, BiFunction<Instant, Integer, List<UUID>> due) {
    Period atMost = kept.atMost();
    if (atMost == null) {
      return;
    }
    Instant before = clock.instant().atOffset(ZoneOffset.UTC).minus(atMost).toInstant();
    long erased = 0;
    Set<UUID> failed = new HashSet<>();
    List<UUID> batch;
    do {
      batch =
          due.apply(before, BATCH + failed.size()).stream()
              .filter(id -> !failed.contains(id))
              .toList();
      for (UUID id : batch) {
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
        if (eraseOne(id, rule)) {
          erased++;
        } else {
          failed.add(id);
        }
      }
    } while (batch.size() >= BATCH);
    if (erased > 0) {
      log.info("erased {} cases by the rule '{}'", erased, rule.id());
    }
  }

  /** Whatever one case fails of, the others are erased. */
  private boolean eraseOne(UUID id, ErasureStore.Rule rule) {
    try {
      transaction.executeWithoutResult(status -> {
        cases.lock(id);
        erase(id, rule, SYSTEM, clock.instant());
      });
      return true;
    } catch (RuntimeException e) {
      // its message may have what the case has
      log.error("case {} could not be erased: {}", id, e.getClass().getSimpleName());
      return false;
    }
  }

  /**
   * Locks a case and, the earlier first, all others of its person at its bank.
   *
   * @throws CaseConflictException when it is erased
   */
  KycCase lockWithRelated(UUID id) {
    List<UUID> related = erasures.related(id);
    related.forEach(cases::lock);
    KycCase locked = cases.find(id).orElseThrow(CaseDecisionService::notFound);
    if (locked.person().isErased()) {
      throw new CaseConflictException(CaseConflictException.Kind.ERASED);
    }
    return locked;
  }

  /**
   * Requires that no case of the person at this bank has to be kept any longer.
   *
   * @throws CaseConflictException when one has, or the bank has not said for how long
   */
  void requireKeptLongEnough(KycCase locked, Instant now) {
    for (UUID id : erasures.related(locked.id())) {
      ErasureStore.Ended ended = erasures.ended(id);
      Kept kept = ended.customer() ? retention.closed() : retention.refused();
      if (!isOver(ended.since(), kept.atLeast(), now)) {
        throw new CaseConflictException(CaseConflictException.Kind.RETENTION_UNMET);
      }
    }
  }

  private static boolean isOver(@Nullable Instant since, @Nullable Period atLeast, Instant now) {
    return since != null
        && atLeast != null
        && !since.atOffset(ZoneOffset.UTC).plus(atLeast).toInstant().isAfter(now);
  }

  /** Erases all cases of a locked case's person at its bank, as two people have decided. */
  void eraseAtRequest(KycCase locked, String approver, Instant now) {
    erasures
        .related(locked.id())
        .forEach(id -> erase(id, ErasureStore.Rule.REQUEST, approver, now));
  }

  private void erase(UUID id, ErasureStore.Rule rule, String actor, Instant now) {
    sealing.seal(id); // what is under the master key would stay readable
    if (erasures.erase(id, rule, now)) {
      cases.addEvent(id, actor, "erased: " + rule.id(), now);
    }
  }
}
