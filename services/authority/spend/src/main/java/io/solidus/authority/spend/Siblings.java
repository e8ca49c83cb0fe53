package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * The other shards of this authority, by their index in the shard map. An unavailable shard fails
 * its own items only. Each call says by which version of the map its owners are: a sibling that
 * goes by another refuses.
 */
public interface Siblings {

  /**
   * Serial numbers of one shard's range to reserve for one core.
   *
   * @param below the cores that may hold them instead
   */
  record Claim(TxCore core, List<SerialNumber> serials, Set<TxCore> below) {
    public Claim {
      serials = List.copyOf(serials);
      below = Set.copyOf(below);
    }

    /** A claim of a core that burns no other. */
    public Claim(TxCore core, List<SerialNumber> serials) {
      this(core, serials, Set.of());
    }

    /** Whether a serial number that {@code holder} holds is free for this claim. */
    public boolean goesWith(TxCore holder) {
      return holder.equals(core) || below.contains(holder);
    }
  }

  /** For every shard asked: the cores that hold the serial numbers, or why that is not known. */
  Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
      long mapVersion, SortedMap<Integer, List<SerialNumber>> byOwner);

  /** For every shard asked: one outcome for each claim, in order. A success is durable there. */
  Map<Integer, List<Outcome<Ok>>> reserve(long mapVersion, SortedMap<Integer, List<Claim>> byOwner);
}
