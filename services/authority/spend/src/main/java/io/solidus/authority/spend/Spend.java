package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * One decoded request: its identity, what it uses up and the request itself, which the pipeline
 * hands on without looking into it.
 *
 * @param serials pairwise distinct; the lead serial number, whose owner coordinates, comes first
 * @param request statement and evidence; the same core may come with renewed evidence
 */
public record Spend<R>(TxCore core, List<SerialNumber> serials, R request) {
  public Spend {
    serials = List.copyOf(serials);
    if (serials.isEmpty()) {
      throw new IllegalArgumentException("a spend has a lead serial number");
    }
  }

  public SerialNumber lead() {
    return serials.getFirst();
  }
}
