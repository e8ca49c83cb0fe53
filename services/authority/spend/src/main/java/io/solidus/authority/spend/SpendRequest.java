package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * One decoded request: its core, the serial numbers it spends and its content, which the pipeline
 * does not read.
 *
 * @param serials pairwise distinct; the lead serial number, whose owner coordinates, comes first
 * @param content statement and evidence; the same core may come with renewed evidence
 */
public record SpendRequest<R>(TxCore core, List<SerialNumber> serials, R content) {
  public SpendRequest {
    serials = List.copyOf(serials);
    if (serials.isEmpty()) {
      throw new IllegalArgumentException("a spend request has a lead serial number");
    }
  }

  public SerialNumber lead() {
    return serials.getFirst();
  }
}
