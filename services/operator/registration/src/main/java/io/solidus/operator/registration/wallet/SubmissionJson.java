package io.solidus.operator.registration.wallet;

import org.jspecify.annotations.Nullable;

/** A person and her wallet's registration. */
public record SubmissionJson(@Nullable PersonJson person, @Nullable RegistrationJson registration) {

  @Override
  public String toString() {
    return "SubmissionJson[redacted]";
  }
}
