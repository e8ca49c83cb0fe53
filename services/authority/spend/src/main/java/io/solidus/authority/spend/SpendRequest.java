package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Set;

/**
 * One decoded request: its core, the serial numbers it spends and its content, which the pipeline
 * does not read.
 *
 * @param serials pairwise distinct; the lead serial number, whose owner coordinates, comes first
 * @param below the cores below a recover, which may hold its serial numbers; empty for every other
 *     request
 * @param content statement and evidence; the same core may come with renewed evidence
 */
public record SpendRequest<R>(
    TxCore core, List<SerialNumber> serials, Set<TxCore> below, R content) {
  public SpendRequest {
    serials = List.copyOf(serials);
    below = Set.copyOf(below);
    if (serials.isEmpty()) {
      throw new IllegalArgumentException("a spend request has a lead serial number");
    }
  }

  /** A request that burns no other. */
  public SpendRequest(TxCore core, List<SerialNumber> serials, R content) {
    this(core, serials, Set.of(), content);
  }

  public SerialNumber lead() {
    return serials.getFirst();
  }

  /** Whether a serial number that {@code holder} holds is free for this request. */
  public boolean goesWith(TxCore holder) {
    return holder.equals(core) || below.contains(holder);
  }
}
