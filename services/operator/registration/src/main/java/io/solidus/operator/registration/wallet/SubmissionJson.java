package io.solidus.operator.registration.wallet;

import org.jspecify.annotations.Nullable;

/**
 * The body of a registration request: a person or an organisation, not both.
 *
 * @param registration the wallet's register transaction
 * @param bank whose customer the applicant becomes; may be absent when the platform has one bank
 */
public record SubmissionJson(
    @Nullable PersonJson person,
    @Nullable OrganisationJson organisation,
    @Nullable RegistrationJson registration,
    @Nullable String bank) {

  @Override
  public String toString() {
    return "SubmissionJson[redacted]";
  }
}
