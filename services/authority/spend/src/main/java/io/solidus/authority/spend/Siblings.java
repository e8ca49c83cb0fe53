package io.solidus.authority.spend;

import io.solidus.authority.spend.Ledger.Done;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The other shards of this authority, by their index in the shard map. A shard that does not answer
 * fails its own items only.
 */
public interface Siblings {

  /** Serial numbers of one sibling's range, wanted for one core. */
  record Claim(TxCore core, List<SerialNumber> serials) {
    public Claim {
      serials = List.copyOf(serials);
    }
  }

  /**
   * For every owner asked: which cores hold which of the serial numbers, or why that is not known.
   */
  Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
      SortedMap<Integer, List<SerialNumber>> byOwner);

  /** For every owner asked: one outcome for each claim, in order; what is done is durable there. */
  Map<Integer, List<Outcome<Done>>> reserve(SortedMap<Integer, List<Claim>> byOwner);
}
