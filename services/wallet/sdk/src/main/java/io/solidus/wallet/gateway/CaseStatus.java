package io.solidus.wallet.gateway;

import org.jspecify.annotations.Nullable;

/**
 * The status of a registration case.
 *
 * @param status pending, review, approved or refused
 * @param attestationNote signed note of the registration service; present when approved
 * @param reason present when refused
 */
public record CaseStatus(String status, @Nullable String attestationNote, @Nullable String reason) {
  public boolean approved() {
    return status.equals("approved") && attestationNote != null;
  }

  public boolean refused() {
    return status.equals("refused");
  }
}
