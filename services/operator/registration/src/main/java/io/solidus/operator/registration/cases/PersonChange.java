package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * New details of a registered person: a marriage, a renewed document, a correction.
 *
 * @param person with all details, the changed ones included
 * @param reason of the officer who proposed it
 * @param verdict accepted or refused; null until it is decided
 */
public record PersonChange(
    UUID id,
    Applicant person,
    String reason,
    String proposedBy,
    Instant proposedAt,
    @Nullable String verdict,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt) {

  @Override
  public String toString() {
    return "PersonChange[" + id + "]";
  }
}
