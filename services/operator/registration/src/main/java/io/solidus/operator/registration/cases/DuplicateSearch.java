package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.NameLikeness;
import io.solidus.operator.registration.person.Person;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Finds the earlier cases that may be of the person who registers now: the same document, or the
 * birth date and a like name.
 */
final class DuplicateSearch {
  private static final int BATCH = 200;
  private static final int GATES = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final DuplicateStore store;
  private final IdentityHasher hasher;
  private final TransactionTemplate transaction;
  private final List<ReentrantLock> gates =
      Stream.generate(ReentrantLock::new).limit(GATES).toList();
  private volatile boolean complete;

  DuplicateSearch(DuplicateStore store, IdentityHasher hasher, TransactionTemplate transaction) {
    this.store = store;
    this.hasher = hasher;
    this.transaction = transaction;
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
  int find(UUID caseId, Identity identity, Person person, Instant now) {
    Map<UUID, Double> likeness = new LinkedHashMap<>();
    Set<UUID> sameDocument = new HashSet<>();
    for (DuplicateStore.Candidate candidate : store.sharing(identity, caseId)) {
      likeness.merge(candidate.caseId(), NameLikeness.of(person, candidate.person()), Math::max);
      if (candidate.sameDocument()) {
        sameDocument.add(candidate.caseId());
      }
    }
    List<DuplicateStore.Pair> pairs = new ArrayList<>();
    likeness.forEach((other, value) -> {
      boolean document = sameDocument.contains(other);
      if (document || NameLikeness.isAlike(value)) {
        pairs.add(new DuplicateStore.Pair(other, document, value));
      }
    });
    if (!pairs.isEmpty()) {
      store.add(caseId, pairs, now);
    }
    return pairs.size();
  }
}
