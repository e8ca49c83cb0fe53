package io.solidus.operator.registration.evidence;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;

/** Checks a registration's proof and signature before a case is opened for it. */
public interface RegistrationCheck {

  /**
   * Checks a registration.
   *
   * @throws ProtocolException with the code of the first rule that fails, or overloaded
   */
  void require(RegisterRequest request);
}
