package io.solidus.wallet.model;

import io.solidus.protocol.RegisterRequest;
import org.jspecify.annotations.Nullable;

/**
 * A registration under way. No data of the person is kept.
 *
 * @param caseId the case at the registration service, or null before its answer came
 */
public record PendingRegistration(RegisterRequest request, @Nullable RegistrationCase caseId) {
  public PendingRegistration withCase(RegistrationCase opened) {
    return new PendingRegistration(request, opened);
  }
}
