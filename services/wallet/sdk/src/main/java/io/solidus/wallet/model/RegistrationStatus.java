package io.solidus.wallet.model;

import org.jspecify.annotations.Nullable;

/**
 * The status of a wallet's registration.
 *
 * @param reason the reason of a refusal, for the applicant; otherwise null
 */
public record RegistrationStatus(Stage stage, @Nullable String reason) {
  public enum Stage {
    NONE,
    PENDING,
    REGISTERED,
    REFUSED
  }

  public static RegistrationStatus of(Stage stage) {
    return new RegistrationStatus(stage, null);
  }
}
