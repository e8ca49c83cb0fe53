package io.solidus.authority.signer;

import io.solidus.protocol.Family;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Set;

/**
 * A checked statement to sign: the outputs of one core, and the serial numbers that no other core
 * may use.
 *
 * @param serials those it spends, or for a registration those of {@link RegistrationSerials}
 * @param below the cores below a recover, which may hold its serial numbers; empty for every other
 *     statement
 */
record SigningRequest(
    Family family, TxCore core, List<SerialNumber> serials, Set<TxCore> below, Outputs outputs) {
  SigningRequest {
    serials = List.copyOf(serials);
    below = Set.copyOf(below);
    if (serials.isEmpty()) {
      throw new IllegalArgumentException("a statement without a serial number is never signed");
    }
    if (!below.isEmpty() && family != Family.RECOVER) {
      throw new IllegalArgumentException("only a recover burns other cores");
    }
  }

  /** A statement that burns no other. */
  SigningRequest(Family family, TxCore core, List<SerialNumber> serials, Outputs outputs) {
    this(family, core, serials, Set.of(), outputs);
  }

  /** Whether a row of {@code holder} is as good as this core's own. */
  boolean goesWith(TxCore holder) {
    return holder.equals(core) || below.contains(holder);
  }
}
