package io.solidus.authority.shard.range;

import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.ShardRange;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Sets up maps and ranges when a shard starts. The first shard of all signs map version 1. Each
 * shard takes the range that the newest map gives it, and refuses to start on an ownership row that
 * contradicts the map.
 */
public final class ShardBootstrap {

  private final JdbcClient jdbc;
  private final ShardMapStore store;
  private final TransactionTemplate transaction;
  private final NetworkId network;
  private final NoteSigner signer;

  public ShardBootstrap(
      JdbcClient jdbc, TransactionTemplate transaction, NetworkId network, NoteSigner signer) {
    this.jdbc = jdbc;
    this.store = new ShardMapStore(jdbc);
    this.transaction = transaction;
    this.network = network;
    this.signer = signer;
  }

  /**
   * Signs version 1, with equal ranges, unless there is a map already.
   *
   * @throws IllegalStateException when a shard of this database owns another range
   */
  public void establishMap(int authority, int shards) {
    transaction.executeWithoutResult(t -> {
      store.lock();
      if (store.after(0).isEmpty()) {
        ShardMap first = ShardMap.equal(authority, 1, shards);
        ShardSchema.existing(jdbc).forEach(shard -> requireAgreement(first, shard));
        store.add(first.version(), first.sign(network, signer));
      }
    });
  }

  /**
   * Signs the newest map again, as the next version with the same ranges, when a former note key of
   * this authority signed it.
   *
   * @throws IllegalStateException when the authority signed none of its maps with a key that counts
   */
  @Spec("V-22")
  public void renewMap(ShardMaps maps) {
    transaction.executeWithoutResult(t -> {
      store.lock();
      maps.refresh();
      ShardMaps.SignedMap newest = maps.newest();
      if (!SignedNote.parse(newest.note()).isSignedBy(signer.publicKey())) {
        ShardMap renewed = newest.map().next();
        ShardSchema.existing(jdbc).forEach(shard -> requireAgreement(renewed, shard));
        store.add(renewed.version(), renewed.sign(network, signer));
        maps.refresh();
      }
    });
  }

  /**
   * Takes the range that the newest map gives to a shard without one. A shard that is not on the
   * map stays without a range.
   *
   * @throws IllegalStateException when the shard owns another range than the newest map says
   */
  public void establishRange(ShardMaps maps, int shard) {
    transaction.executeWithoutResult(t -> {
      store.lock();
      maps.refresh();
      ShardMap map = maps.newest().map();
      // without a row nothing was ever reserved, so the range has no history elsewhere; a split
      // needs the row
      if (shard < map.shards() && OwnershipRow.read(jdbc, ShardSchema.name(shard)).isEmpty()) {
        OwnershipRow.insert(jdbc, ShardSchema.name(shard), map.version(), map.ranges().get(shard));
      }
      requireAgreement(map, shard);
    });
  }

  private void requireAgreement(ShardMap map, int shard) {
    Optional<OwnershipRow> row = OwnershipRow.read(jdbc, ShardSchema.name(shard));
    List<ShardRange> ranges = map.ranges();
    boolean agrees =
        row.map(owned ->
                shard < ranges.size()
                    && owned.range().equals(ranges.get(shard))
                    && owned.mapVersion() <= map.version())
            .orElse(true);
    if (!agrees) {
      throw new IllegalStateException(
          "shard "
              + shard
              + " owns another range in this database than shard map "
              + map.version()
              + " says");
    }
  }
}
