package io.solidus.authority.signer;

import io.solidus.protocol.Family;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;

/** A checked statement to sign: the outputs of one core, and its serial numbers. */
record SigningRequest(Family family, TxCore core, List<SerialNumber> serials, Outputs outputs) {
  SigningRequest {
    if (serials.isEmpty() != (family == Family.REGISTER)) {
      throw new IllegalArgumentException(
          "a registration spends no serial number, and every other statement does");
    }
  }
}
