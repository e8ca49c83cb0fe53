package io.solidus.operator.registration.wallet;

import org.jspecify.annotations.Nullable;

/** The body of a registration request: the person and the wallet's register transaction. */
public record SubmissionJson(@Nullable PersonJson person, @Nullable RegistrationJson registration) {

  @Override
  public String toString() {
    return "SubmissionJson[redacted]";
  }
}
