package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.PersonChange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * New details of a registered person or organisation; one of the two, and none of an erased
 * organisation.
 *
 * @param verdict accepted or refused; null until it is decided
 */
public record ChangeView(
    String changeId,
    CaseFile.@Nullable PersonView person,
    @Nullable OrganisationView organisation,
    String reason,
    String proposedBy,
    Instant proposedAt,
    @Nullable String verdict,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt) {

  static ChangeView of(PersonChange change, String kind) {
    return new ChangeView(
        change.id().toString(),
        CaseFile.PersonView.of(change.person(), kind),
        OrganisationView.of(change.person()),
        change.reason(),
        change.proposedBy(),
        change.proposedAt(),
        change.verdict(),
        change.decidedBy(),
        change.decidedAt());
  }

  @Override
  public String toString() {
    return "ChangeView[" + changeId + "]";
  }
}
