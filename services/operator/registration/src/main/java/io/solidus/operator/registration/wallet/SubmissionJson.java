package io.solidus.operator.registration.wallet;

import io.solidus.wire.json.Member;
import org.jspecify.annotations.Nullable;

/**
 * The body of a registration request: a person or an organisation, not both.
 *
 * @param registration the wallet's register transaction
 * @param bank whose customer the applicant becomes; may be absent when the platform has one bank
 */
public record SubmissionJson(
    @Member(optional = true) @Nullable PersonJson person,
    @Member(optional = true) @Nullable OrganisationJson organisation,
    @Member @Nullable RegistrationJson registration,
    @Member(max = 64, optional = true) @Nullable String bank) {

  @Override
  public String toString() {
    return "SubmissionJson[redacted]";
  }
}
