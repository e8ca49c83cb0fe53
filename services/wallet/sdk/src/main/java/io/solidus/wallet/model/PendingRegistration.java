package io.solidus.wallet.model;

import io.solidus.protocol.RegisterRequest;
import org.jspecify.annotations.Nullable;

/**
 * A registration that is not finished. It contains no data of the person.
 *
 * @param caseId the case at the registration service; null before the service has answered
 */
public record PendingRegistration(RegisterRequest request, @Nullable RegistrationCase caseId) {
  public PendingRegistration withCase(RegistrationCase opened) {
    return new PendingRegistration(request, opened);
  }
}
