package io.solidus.wallet.model;

import org.jspecify.annotations.Nullable;

/**
 * Where a wallet's registration stands.
 *
 * @param reason of a refusal
 */
public record RegistrationStatus(Stage stage, @Nullable String reason) {
  /** Stages in their order. */
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
