package io.solidus.authority.signer;

import io.solidus.protocol.Family;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * A checked statement to sign: the outputs of one core, and the serial numbers that no other core
 * may use.
 *
 * @param serials those it spends, or for a registration those of {@link RegistrationSerials}
 */
record SigningRequest(Family family, TxCore core, List<SerialNumber> serials, Outputs outputs) {
  SigningRequest {
    if (serials.isEmpty()) {
      throw new IllegalArgumentException("a statement without a serial number is never signed");
    }
  }
}
