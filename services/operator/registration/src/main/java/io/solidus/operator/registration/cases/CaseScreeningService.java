package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.screening.Screening;
import io.solidus.operator.registration.screening.ScreeningBasis;
import io.solidus.operator.registration.screening.ScreeningMatch;
import io.solidus.operator.registration.screening.ScreeningResult;
import io.solidus.operator.registration.screening.ScreeningUnavailableException;
import io.solidus.protocol.Digest32;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Screens cases. Only an answer changes a case's status. Without an answer the case is tried again
 * after a growing, bounded pause.
 */
final class CaseScreeningService {
  private static final Logger log = LoggerFactory.getLogger(CaseScreeningService.class);
  private static final String SCREENING = "screening";
  private static final int MAX_DOUBLINGS = 16;
  private static final int BATCH = 20;

  private final CaseStore store;
  private final DuplicateStore duplicates;
  private final ScreeningStore screenings;
  private final Screening screening;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final RetryTimes retry;
  private final Semaphore running;
  private final CaseMetrics metrics;

  /** When everybody was found to be screened against a basis; only the job uses it. */
  private volatile @Nullable Completed completed;

  private record Completed(Digest32 basis, Instant at) {}

  /**
   * The pauses between attempts.
   *
   * @param lease the time one attempt may take, in which no other replica tries
   * @param whole how long a registered person is compared with changes alone
   * @param sweep how long the job believes that nobody has an older basis
   */
  record RetryTimes(Duration first, Duration max, Duration lease, Duration whole, Duration sweep) {

    /**
     * The pause after this many attempts. It doubles with each attempt up to the maximum. A random
     * quarter is subtracted, so that waiting cases spread out.
     */
    Duration after(int attempts) {
      long doubled = first.toMillis() << Math.min(Math.max(attempts - 1, 0), MAX_DOUBLINGS);
      long bounded = Math.min(doubled, max.toMillis());
      return Duration.ofMillis(bounded - ThreadLocalRandom.current().nextLong(bounded / 4 + 1));
    }
  }

  CaseScreeningService(
      CaseStore store,
      DuplicateStore duplicates,
      ScreeningStore screenings,
      Screening screening,
      TransactionTemplate transaction,
      Clock clock,
      RetryTimes retry,
      int concurrency,
      CaseMetrics metrics) {
    this.store = store;
    this.duplicates = duplicates;
    this.screenings = screenings;
    this.screening = screening;
    this.transaction = transaction;
    this.clock = clock;
    this.retry = retry;
    this.running = new Semaphore(concurrency);
    this.metrics = metrics;
  }

  /** Screens a case at once if a permit is free; otherwise the worker screens it later. */
  void screenNow(UUID id) {
    if (!running.tryAcquire()) {
      return;
    }
    try {
      attempt(id);
    } finally {
      running.release();
    }
  }

  /**
   * Screens the cases that are due. Stops at the first case without an answer, because then the
   * sanctions service is unavailable.
   */
  void screenAllDue() {
    List<UUID> due;
    do {
      due = store.dueForScreening(clock.instant(), BATCH);
      for (UUID id : due) {
        if (Thread.currentThread().isInterrupted() || !attempt(id)) {
          return;
        }
      }
    } while (due.size() == BATCH);
  }

  /** Screens one case; false when there was no answer. */
  private boolean attempt(UUID id) {
    Instant now = clock.instant();
    Optional<KycCase> claimed = store.claimScreening(id, now, now.plus(retry.lease()));
    if (claimed.isEmpty()) {
      return true;
    }
    int attempts = claimed.get().screeningAttempts();
    try {
      record(claimed.get(), screening.screen(claimed.get().person()));
      return true;
    } catch (ScreeningUnavailableException e) {
      store.postponeScreening(id, clock.instant().plus(retry.after(attempts)));
      log.warn("case {} waits for its screening, attempt {}: {}", id, attempts, e.getMessage());
      return false;
    }
  }

  /**
   * Screens a case against the newest lists before its approval.
   *
   * @return whether the newest screening before had another basis
   * @throws ScreeningUnavailableException when there is no answer
   */
  boolean screenForApproval(KycCase found) {
    Optional<ScreeningStore.Newest> before = screenings.newest(found.id());
    ScreeningResult result = screening.screen(found.person());
    record(found, result);
    return before.map(newest -> !newest.basis().equals(result.basis().digest())).orElse(true);
  }

  /**
   * Whether the newest screening of a locked case is against the lists of now. The answer counts
   * for the caller's transaction, which lasts ten seconds at most.
   *
   * @throws ScreeningUnavailableException when there is no answer
   */
  boolean isNewest(UUID id) {
    Digest32 now = screening.basis().digest();
    return screenings.newest(id).map(newest -> newest.basis().equals(now)).orElse(false);
  }

  /**
   * Screens a person whose details have changed, in the caller's transaction.
   *
   * @throws ScreeningUnavailableException when there is no answer
   */
  void screenChanged(UUID id) {
    KycCase changed = store.find(id).orElseThrow();
    if (!record(changed, screening.screen(changed.person()))) {
      throw new ScreeningUnavailableException("the lists changed while a person was screened");
    }
  }

  /**
   * Screens every undecided and every approved person against lists that are newer than those of
   * her newest screening. Several replicas may do it at once: they do work twice, not wrongly.
   * Whoever is approved on an older basis meanwhile is found with the next sweep.
   */
  void screenOutdated() {
    ScreeningBasis basis = screening.basis();
    Digest32 newest = basis.digest();
    Completed before = completed;
    if (before != null
        && before.basis().equals(newest)
        && clock.instant().isBefore(before.at().plus(retry.sweep()))) {
      metrics.allNewest(clock.instant());
      return;
    }
    metrics.outdated(screenings.countOutdated(newest));
    for (ScreeningBasis since : screenings.otherBases(basis)) {
      if (since.leadsTo(basis)) {
        eachLane(lane -> screenChanges(since, basis, lane));
      }
    }
    eachLane(lane -> screenOutdated(newest, lane));
    if (screenings.outdated(newest, Lane.WHOLE.after(), Lane.WHOLE.last(), 1).isEmpty()) {
      completed = new Completed(newest, clock.instant());
      metrics.allNewest(clock.instant());
    }
    metrics.outdated(screenings.countOutdated(newest));
  }

  /**
   * Cases whose ids are in one range.
   *
   * @param after below all ids of the range
   * @param last the greatest id of the range
   */
  record Lane(UUID after, UUID last) {
    private static final int BITS = 2;
    static final Lane WHOLE = new Lane(new UUID(0, 0), new UUID(-1, -1));

    /** Equal parts of all ids. */
    static List<Lane> all() {
      return IntStream.range(0, 1 << BITS)
          .mapToObj(part -> new Lane(part == 0 ? WHOLE.after : end(part - 1), end(part)))
          .toList();
    }

    /** Ids are compared without a sign, as PostgreSQL does. */
    private static UUID end(int part) {
      return new UUID(((long) part << (Long.SIZE - BITS)) | (-1L >>> BITS), -1);
    }
  }

  /**
   * Works on all lanes at once, so that opening files, comparing names and storing overlap. Returns
   * when all have ended, or when this thread is interrupted.
   */
  private static void eachLane(Consumer<Lane> work) {
    try (ExecutorService lanes = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<?> lane :
          lanes.invokeAll(
              Lane.all().stream()
                  .map(each -> Executors.callable(() -> work.accept(each)))
                  .toList())) {
        lane.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failed) {
        throw failed;
      }
      throw new IllegalStateException(e);
    }
  }

  private void screenOutdated(Digest32 newest, Lane lane) {
    UUID after = lane.after;
    List<UUID> batch;
    do {
      batch = screenings.outdated(newest, after, lane.last, Screening.MAX_BATCH);
      if (batch.isEmpty() || Thread.currentThread().isInterrupted()) {
        return;
      }
      screenAgain(batch);
      after = batch.getLast();
    } while (batch.size() == Screening.MAX_BATCH);
  }

  /**
   * Compares registered persons without a match with the entries that changed since. Whoever may be
   * one of them is screened whole.
   */
  private void screenChanges(ScreeningBasis since, ScreeningBasis basis, Lane lane) {
    UUID after = lane.after;
    List<ScreeningStore.Cleared> batch;
    do {
      batch =
          screenings.cleared(
              since, clock.instant().minus(retry.whole()), after, lane.last, Screening.MAX_BATCH);
      if (batch.isEmpty() || Thread.currentThread().isInterrupted()) {
        return;
      }
      after = batch.getLast().caseId();
      List<ScreeningResult> results =
          screening.screenAll(batch.stream().map(ScreeningStore.Cleared::person).toList(), since);
      List<ScreeningStore.Cleared> clear = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        ScreeningResult result = results.get(i);
        if (result.verdict() == ScreeningResult.Verdict.CLEAR && result.basis().equals(basis)) {
          clear.add(batch.get(i));
        }
      }
      if (!clear.isEmpty()) {
        transaction.executeWithoutResult(
            status -> screenings.keepClear(clear, since, basis, clock.instant()));
        metrics.screenedAgain(clear.size());
      }
    } while (batch.size() == Screening.MAX_BATCH);
  }

  private void screenAgain(List<UUID> batch) {
    List<KycCase> found = batch.stream().flatMap(id -> store.find(id).stream()).toList();
    List<ScreeningResult> results =
        screening.screenAll(found.stream().map(KycCase::person).toList(), null);
    for (int i = 0; i < results.size(); i++) {
      record(found.get(i), results.get(i));
    }
    metrics.screenedAgain(results.size());
  }

  /**
   * Keeps a screening and gives an undecided case its status. Earlier refused cases that may be of
   * the same person, or have the address, count as matches, so that an operator must review the
   * case.
   *
   * @param asked the case as it was when the question was asked
   * @return false when the answer is not kept: it is for former details or former lists, or the
   *     case is refused
   */
  private boolean record(KycCase asked, ScreeningResult result) {
    UUID id = asked.id();
    return Boolean.TRUE.equals(
        transaction.execute(status -> {
          KycCase locked = store.lock(id).orElseThrow();
          if (locked.status() == CaseStatus.REFUSED
              || !locked.person().equals(asked.person())
              || isFormer(id, result.basis())) {
            return false;
          }
          List<ScreeningMatch> matches = new ArrayList<>(result.matches());
          boolean approved = locked.status() == CaseStatus.APPROVED;
          if (!approved) {
            store.relatedRefusals(id).forEach(refused -> matches.add(refusal(refused)));
          }
          Instant now = clock.instant();
          int openBefore = screenings.newest(id).map(ScreeningStore.Newest::open).orElse(0);
          screenings.add(locked, result, matches, now);
          if (!approved) {
            store.recordScreening(id, matches, duplicates.waits(id), now);
          }
          int open = screenings.newest(id).orElseThrow().open();
          if (locked.status() == CaseStatus.PENDING_SCREENING) {
            store.addEvent(
                id,
                SCREENING,
                matches.isEmpty() ? "screened without a match" : "screened with a match",
                now);
          } else if (open > openBefore) {
            store.addEvent(id, SCREENING, "screened again with a new match", now);
          }
          return true;
        }));
  }

  /**
   * Whether a newer answer is kept already. Versions of lists go back only when the sanctions
   * service was restored from a backup; then the basis of now decides.
   */
  private boolean isFormer(UUID id, ScreeningBasis basis) {
    return screenings.newest(id).map(newest -> basis.isFormerTo(newest.lists())).orElse(false)
        && !screening.basis().digest().equals(basis.digest());
  }

  private static ScreeningMatch refusal(UUID refused) {
    return ScreeningMatch.reason(ScreeningMatch.REFUSED, refused.toString());
  }
}
