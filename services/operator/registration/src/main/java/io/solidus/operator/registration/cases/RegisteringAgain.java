package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.screening.ReplacedAddresses;
import io.solidus.operator.registration.screening.ScreeningUnavailableException;
import java.util.List;

/**
 * Whether a person may register again: the registration before is closed because she lost her
 * phrase, nobody can ever pay with its address, and its limits are of an earlier policy period.
 */
final class RegisteringAgain {
  private final CaseStore cases;
  private final StandingStore steps;
  private final ReplacedAddresses addresses;

  RegisteringAgain(CaseStore cases, StandingStore steps, ReplacedAddresses addresses) {
    this.cases = cases;
    this.steps = steps;
    this.addresses = addresses;
  }

  /**
   * How many registrations the person of a locked case has with this one. The registration before
   * was approved under the same rule, and a replaced address stays one, so the newest one counts.
   *
   * @throws CaseConflictException when she may not register, or nobody answers whether she may
   */
  int generation(KycCase found) {
    cases.lockPerson(found.personId());
    List<CaseStore.Registration> before = cases.registrations(found.personId());
    if (before.isEmpty()) {
      return 1;
    }
    CaseStore.Registration newest = before.getFirst();
    if (!steps.isPhraseLost(newest.caseId())) {
      throw new CaseConflictException(CaseConflictException.Kind.PHRASE_NOT_LOST);
    }
    ReplacedAddresses.State state;
    try {
      state = addresses.ask(newest.apk());
    } catch (ScreeningUnavailableException e) {
      throw new CaseConflictException(CaseConflictException.Kind.REPLACEMENT_UNKNOWN);
    }
    return switch (state) {
      case NOT_REPLACED ->
          throw new CaseConflictException(CaseConflictException.Kind.ADDRESS_NOT_REPLACED);
      case UNPUBLISHED ->
          throw new CaseConflictException(CaseConflictException.Kind.ADDRESS_UNPUBLISHED);
      case IN_PERIOD ->
          throw new CaseConflictException(CaseConflictException.Kind.ADDRESS_IN_PERIOD);
      case GONE -> newest.generation() + 1;
    };
  }
}
