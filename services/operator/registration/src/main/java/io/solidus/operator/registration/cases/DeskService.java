package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.NameLikeness;
import io.solidus.operator.registration.person.Organisation;
import io.solidus.operator.registration.person.Person;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/** What officers do to find their way: they claim cases and search for them. */
public final class DeskService {
  /** Sealed persons that one search opens. */
  private static final int MAX_OPENED = 2000;

  private final CaseStore cases;
  private final ClaimStore claims;
  private final ChangeStore changes;
  private final CaseDecisionService decisions;
  private final IdentityHasher hasher;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration claimTime;

  DeskService(
      CaseStore cases,
      ClaimStore claims,
      ChangeStore changes,
      CaseDecisionService decisions,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock,
      Duration claimTime) {
    this.cases = cases;
    this.claims = claims;
    this.changes = changes;
    this.decisions = decisions;
    this.hasher = hasher;
    this.transaction = transaction;
    this.clock = clock;
    this.claimTime = claimTime;
  }

  /**
   * Claims a case, or renews the officer's own claim.
   *
   * @param takeOver whether to take the case from the officer who has claimed it
   * @throws CaseConflictException when somebody else has claimed the case and it is not taken over,
   *     or it is erased
   */
  public CaseDecisionService.CaseWithEvents claim(UUID id, String officer, boolean takeOver) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = cases.lock(id).orElseThrow(CaseDecisionService::notFound);
          if (locked.person().isErased()) {
            throw new CaseConflictException(CaseConflictException.Kind.ERASED);
          }
          Optional<CaseClaim> before =
              claims.find(id, now).filter(claim -> !Operator.samePerson(claim.officer(), officer));
          if (before.isPresent() && !takeOver) {
            throw new CaseConflictException(CaseConflictException.Kind.CLAIMED);
          }
          claims.put(id, new CaseClaim(officer, now, now.plus(claimTime)));
          cases.addEvent(
              id,
              officer,
              before.map(claim -> "claimed, taken over from " + claim.officer()).orElse("claimed"),
              now);
          return decisions.file(locked);
        }));
  }

  /**
   * Gives a claim back; does nothing without one.
   *
   * @throws CaseConflictException when the claim is somebody else's
   */
  public CaseDecisionService.CaseWithEvents release(UUID id, String officer) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = cases.lock(id).orElseThrow(CaseDecisionService::notFound);
          claims
              .find(id, now)
              .ifPresent(claim -> {
                if (!Operator.samePerson(claim.officer(), officer)) {
                  throw new CaseConflictException(CaseConflictException.Kind.CLAIMED);
                }
                claims.remove(id);
                cases.addEvent(id, officer, "claim given back", now);
              });
          // the answer shows the file, whether there was a claim or not
          return decisions.recordView(locked.id(), officer);
        }));
  }

  /** The claim of a case that has not expired. */
  public Optional<CaseClaim> claimOf(UUID id) {
    return claims.find(id, clock.instant());
  }

  /**
   * What to search for; one of id, address, document, name and mine.
   *
   * @param address the bytes that the case file shows as {@code apk}, in hex
   * @param document a number of a document or in a register, with {@code nationality}
   * @param nationality of a document, or the country of an organisation
   * @param name a whole name or a part; with {@code birthDate} in all cases, of an organisation
   *     with its country in all cases, alone in the newest 2,000 undecided ones
   * @param mine whether to find the cases that the officer has claimed
   */
  public record Query(
      @Nullable UUID caseId,
      @Nullable String address,
      @Nullable String document,
      @Nullable String nationality,
      @Nullable String name,
      @Nullable LocalDate birthDate,
      boolean mine) {

    @Override
    public String toString() {
      return "Query[redacted]";
    }
  }

  /**
   * Searches, and records in each case that the officer saw the name.
   *
   * @throws ProtocolException malformed-request
   */
  public List<KycCase> search(BankScope scope, Query query, String officer, int limit) {
    List<KycCase> found = find(scope, query, officer, limit);
    decisions.recordListed(found, officer);
    return found;
  }

  private List<KycCase> find(BankScope scope, Query query, String officer, int limit) {
    int criteria =
        count(query.caseId())
            + count(query.address())
            + count(query.document())
            + count(query.name())
            + (query.mine() ? 1 : 0);
    if (criteria != 1) {
      throw ProtocolException.malformed(
          "a search has one of caseId, address, documentNumber, name and mine");
    }
    if (query.name() != null) {
      return byName(scope, query.name(), candidates(query, query.name()), limit);
    }
    if (query.document() != null) {
      return byDocument(scope, query.document(), query.nationality(), limit);
    }
    return ids(query, officer, limit).stream()
        .flatMap(id -> cases.find(id).stream())
        .filter(found -> scope.allows(found.bank()))
        .toList();
  }

  /** A bank finds by a document what was shown to it, not what the person showed to another one. */
  private List<KycCase> byDocument(
      BankScope scope, String number, @Nullable String nationality, int limit) {
    if (nationality == null) {
      throw ProtocolException.malformed("a search for a document needs its nationality");
    }
    return Stream.of(
            hasher.documentKey(nationality, number), hasher.registrationKey(nationality, number))
        .flatMap(key ->
            cases.byDocument(scope, key, limit).stream()
                .flatMap(id -> cases.find(id).stream())
                .filter(found -> scope.isEvery() || isShown(found, key)))
        .limit(limit)
        .toList();
  }

  private boolean isShown(KycCase found, Digest32 key) {
    return changes.shown(found.personId(), found.bank()).stream()
        .anyMatch(shown -> hasher.identify(shown).documentKey().equals(key));
  }

  private static int count(@Nullable Object criterion) {
    return criterion == null ? 0 : 1;
  }

  private List<UUID> ids(Query query, String officer, int limit) {
    if (query.mine()) {
      return claims.of(officer, clock.instant(), limit);
    }
    if (query.caseId() != null) {
      return List.of(query.caseId());
    }
    return cases.byAddress(address(Objects.requireNonNull(query.address())), limit);
  }

  private static byte[] address(String hex) {
    try {
      return HexFormat.of().parseHex(hex.strip());
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed("address is not hex");
    }
  }

  private List<KycCase> byName(BankScope scope, String name, List<UUID> candidates, int limit) {
    double unused = NameLikeness.of(name, name); // refuses a name without a letter
    return candidates.stream()
        .flatMap(id -> cases.find(id).stream())
        .filter(found -> scope.allows(found.bank()) && !found.person().isErased())
        .map(found -> new Hit(found, likeness(name, found.person())))
        .filter(hit -> NameLikeness.isAlike(hit.likeness(), false))
        .sorted(Comparator.comparingDouble(Hit::likeness).reversed())
        .limit(limit)
        .map(Hit::found)
        .toList();
  }

  private record Hit(KycCase found, double likeness) {}

  private List<UUID> candidates(Query query, String name) {
    if (query.birthDate() != null) {
      return cases.bornOn(hasher.birthKey(query.birthDate()), MAX_OPENED);
    }
    List<UUID> undecided = cases.newestUndecided(MAX_OPENED);
    return query.nationality() == null
        ? undecided
        : Stream.concat(
                cases
                    .byNameKeys(hasher.organisationNameKeys(query.nationality(), name), MAX_OPENED)
                    .stream(),
                undecided.stream())
            .distinct()
            .toList();
  }

  private static double likeness(String name, Applicant applicant) {
    return switch (applicant) {
      case Person person -> likeness(name, person);
      case Organisation body ->
          Math.max(
              NameLikeness.likeName(name, body),
              body.people().stream()
                  .mapToDouble(member -> likeness(name, member.person()))
                  .max()
                  .orElse(0));
    };
  }

  private static double likeness(String name, Person person) {
    return Stream.of(person.fullName(), person.givenName(), person.familyName(), person.latinName())
        .filter(Objects::nonNull)
        .mapToDouble(each -> NameLikeness.of(name, each))
        .max()
        .orElse(0);
  }
}
