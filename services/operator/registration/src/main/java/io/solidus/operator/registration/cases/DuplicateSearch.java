package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.NameLikeness;
import io.solidus.operator.registration.person.Organisation;
import io.solidus.operator.registration.person.Person;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Finds the cases that may be of one person: the same document, the birth date and a like name, or
 * a birth date that is one mistake away and nearly the same name.
 */
final class DuplicateSearch {
  private static final int BATCH = 200;
  private static final int GATES = 64;
  private static final String SEARCH = "search";

  /** What two officers can look at; the next ones are found when these are decided. */
  private static final int MAX_PAIRS = 20;

  private static final int WORDS_OF_ERASED = 2;

  /** Sealed persons that one search opens. */
  private static final int MAX_CANDIDATES = 2000;

  private static final Comparator<DuplicateStore.Pair> STRONGEST =
      Comparator.comparing(DuplicateStore.Pair::sameDocument)
          .thenComparingDouble(DuplicateStore.Pair::likeness)
          .reversed();

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final DuplicateStore store;
  private final CaseStore cases;
  private final IdentityHasher hasher;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final List<ReentrantLock> gates =
      Stream.generate(ReentrantLock::new).limit(GATES).toList();
  private volatile boolean complete;

  DuplicateSearch(
      DuplicateStore store,
      CaseStore cases,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock) {
    this.store = store;
    this.cases = cases;
    this.hasher = hasher;
    this.transaction = transaction;
    this.clock = clock;
  }

  /**
   * Gives a birth key to each case from before there were any. Several replicas may do it at once.
   */
  void fillBirthKeys() {
    while (!complete && !Thread.currentThread().isInterrupted()) {
      List<DuplicateStore.Unkeyed> batch = store.unkeyed(BATCH);
      transaction.executeWithoutResult(status ->
          batch.forEach(
              old -> store.setBirthKey(old.caseId(), hasher.identify(old.person()).birthKey())));
      complete = batch.isEmpty();
    }
  }

  /**
   * Requires that every case can be found.
   *
   * @throws ProtocolException unavailable while older cases have no birth key
   */
  void requireComplete() {
    if (!complete && !store.unkeyed(1).isEmpty()) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "the registration is being prepared; try again soon");
    }
  }

  /**
   * Runs a registration alone among those of this replica that may be of its birth date. Whoever
   * waits here holds no database connection, which others need.
   *
   * @throws ProtocolException overloaded after ten seconds
   */
  <T> T alone(Identity identity, Supplier<T> registration) {
    ReentrantLock gate = gates.get(Math.floorMod(identity.birthKey().hashCode(), GATES));
    try {
      if (!gate.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        throw overloaded();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw overloaded();
    }
    try {
      return registration.get();
    } finally {
      gate.unlock();
    }
  }

  private static ProtocolException overloaded() {
    return new ProtocolException(
        RejectionCode.OVERLOADED, "many persons register at once; try again soon");
  }

  /** Writes the pairs of a new case, whose identity is locked; returns how many there are. */
  int find(DuplicateStore.Subject fresh, Identity identity, Applicant person, Instant now) {
    return find(fresh, List.of(person), identity, now);
  }

  /**
   * Searches a case again, or one from before there were searches. Who registered in the same
   * moment with a misread birth date is found by the search before the approval.
   */
  void search(UUID id) {
    transaction.executeWithoutResult(status -> {
      Optional<DuplicateStore.Details> found = store.details(id);
      if (found.isPresent() && found.get().subject().status() != CaseStatus.REFUSED) {
        List<Applicant> persons = found.get().persons();
        if (persons.getLast().isErased()) {
          store.searched(id, false, clock.instant());
          return;
        }
        Identity identity = hasher.identify(persons.getLast());
        int pairs = find(found.get().subject(), persons, identity, clock.instant());
        if (pairs > 0) {
          cases.addEvent(id, SEARCH, "may be registered twice: " + pairs, clock.instant());
        }
      }
    });
  }

  /**
   * Searches every case that was never searched: those of releases without pairs, and registered
   * persons among themselves. Several replicas may do it at once.
   */
  void searchAll() {
    List<UUID> batch;
    do {
      batch = store.unsearched(BATCH);
      for (UUID id : batch) {
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
        search(id);
      }
    } while (!batch.isEmpty());
  }

  private int find(
      DuplicateStore.Subject subject, List<Applicant> persons, Identity newest, Instant now) {
    persons.forEach(
        person -> store.addBirthNameKeys(subject.caseId(), hasher.birthNameKeys(person)));
    Map<UUID, DuplicateStore.Pair> best = new LinkedHashMap<>();
    boolean cut = false;
    for (Applicant person : persons) {
      Identity identity = person.equals(persons.getLast()) ? newest : hasher.identify(person);
      List<DuplicateStore.Candidate> candidates =
          store.sharing(identity, hasher.nearBirthNameKeys(person), subject, MAX_CANDIDATES);
      cut |= candidates.size() >= MAX_CANDIDATES;
      for (DuplicateStore.Candidate candidate : candidates) {
        pair(subject, person, candidate, likeness(person, candidate))
            .ifPresent(
                pair -> best.merge(candidate.subject().caseId(), pair, DuplicateSearch::better));
      }
    }
    List<DuplicateStore.Pair> pairs =
        best.values().stream().sorted(STRONGEST).limit(MAX_PAIRS).toList();
    store.add(pairs, now);
    store.searched(subject.caseId(), cut || best.size() > MAX_PAIRS, now);
    return pairs.size();
  }

  /**
   * Of an erased registration keyed hashes are left: who has its birth date and two words of its
   * name is as good as alike, and an organisation with its whole name.
   */
  private double likeness(Applicant person, DuplicateStore.Candidate candidate) {
    if (!candidate.person().isErased()) {
      return NameLikeness.of(person, candidate.person());
    }
    if (person instanceof Organisation body) {
      return shared(candidate, hasher.wholeNameKeys(body)) > 0 ? 1 : 0;
    }
    Set<Digest32> keys = hasher.birthNameKeys(person);
    return shared(candidate, keys) >= Math.min(WORDS_OF_ERASED, keys.size()) ? 1 : 0;
  }

  private int shared(DuplicateStore.Candidate candidate, Set<Digest32> keys) {
    return store.sharedNameKeys(candidate.subject().caseId(), keys);
  }

  private static Optional<DuplicateStore.Pair> pair(
      DuplicateStore.Subject subject,
      Applicant person,
      DuplicateStore.Candidate candidate,
      double likeness) {
    DuplicateStore.Subject other = candidate.subject();
    // a word of an organisation's name says nothing of a date
    boolean near = candidate.nearBirthDate() && person instanceof Person;
    boolean nobodyWaits =
        subject.status() == CaseStatus.APPROVED && other.status() == CaseStatus.REFUSED;
    if (nobodyWaits || !(candidate.sameDocument() || NameLikeness.isAlike(likeness, near))) {
      return Optional.empty();
    }
    boolean waits = waits(subject, other);
    return Optional.of(
        new DuplicateStore.Pair(
            waits ? subject.caseId() : other.caseId(),
            waits ? other.caseId() : subject.caseId(),
            candidate.sameDocument(),
            near,
            likeness));
  }

  /** A registered person does not wait for one who is not; of two others the later one does. */
  private static boolean waits(DuplicateStore.Subject one, DuplicateStore.Subject other) {
    boolean decided = isDecided(one);
    if (decided != isDecided(other)) {
      return !decided;
    }
    int order = one.createdAt().compareTo(other.createdAt());
    return order > 0 || (order == 0 && one.caseId().compareTo(other.caseId()) > 0);
  }

  private static boolean isDecided(DuplicateStore.Subject subject) {
    return subject.status() == CaseStatus.APPROVED || subject.status() == CaseStatus.REFUSED;
  }

  private static DuplicateStore.Pair better(DuplicateStore.Pair one, DuplicateStore.Pair other) {
    return STRONGEST.compare(one, other) <= 0 ? one : other;
  }
}
