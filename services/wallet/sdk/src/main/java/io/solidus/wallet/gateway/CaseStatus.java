package io.solidus.wallet.gateway;

import org.jspecify.annotations.Nullable;

/**
 * Where a registration case stands.
 *
 * @param status pending, review, approved or refused
 * @param attestationNote signed note of the registration authority, when approved
 * @param reason when refused
 */
public record CaseStatus(String status, @Nullable String attestationNote, @Nullable String reason) {
  public boolean approved() {
    return status.equals("approved") && attestationNote != null;
  }

  public boolean refused() {
    return status.equals("refused");
  }
}
