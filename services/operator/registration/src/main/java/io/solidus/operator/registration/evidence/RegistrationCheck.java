package io.solidus.operator.registration.evidence;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;

/** The check that a registration passes before anybody is asked to look at it. */
public interface RegistrationCheck {

  /**
   * @throws ProtocolException with the code of the first rule that does not hold, or overloaded
   */
  void require(RegisterRequest request);
}
