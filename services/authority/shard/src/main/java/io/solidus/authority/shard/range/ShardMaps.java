package io.solidus.authority.shard.range;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The newest shard map that this process has verified. A map of the database counts only with the
 * signature of the authority, and an older map never replaces a newer one.
 */
@Spec("V-18")
public final class ShardMaps {

  private static final Logger log = LoggerFactory.getLogger(ShardMaps.class);

  /**
   * A map with its signed note.
   *
   * @param note as {@link ShardMap#signed} reads it
   */
  public record SignedMap(ShardMap map, String note) {}

  private final ShardMapStore store;
  private final NetworkId network;
  private final int authority;
  private final NoteKeys keys;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long reads;
  private volatile @Nullable SignedMap newest;

  /**
   * Makes an empty cache.
   *
   * @param keys the note keys of the authority, from the manifest of the committee
   */
  public ShardMaps(
      JdbcClient jdbc, NetworkId network, int authority, NoteKeys keys, InstantSource clock) {
    this.store = new ShardMapStore(jdbc);
    this.network = network;
    this.authority = authority;
    this.keys = keys;
    this.clock = clock;
  }

  /** A cache that trusts one key. */
  public ShardMaps(JdbcClient jdbc, NetworkId network, int authority, NoteKey key) {
    this(jdbc, network, authority, NoteKeys.of(key), InstantSource.system());
  }

  /**
   * The newest map.
   *
   * @throws IllegalStateException before the first map is known
   */
  public SignedMap newest() {
    SignedMap known = newest;
    if (known == null) {
      throw new IllegalStateException("this authority has no shard map yet");
    }
    return known;
  }

  public boolean none() {
    return newest == null;
  }

  /**
   * Reads newer maps from the database; concurrent callers share one read.
   *
   * @throws org.springframework.dao.DataAccessException when the database is not available
   */
  public void refresh() {
    long before = reads;
    lock.lock();
    try {
      // a read that started after this call is enough
      if (reads == before) {
        reads = before + 1;
        read();
      }
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    SignedMap known = newest;
    long version = known == null ? 0 : known.map().version();
    for (ShardMapStore.Row row : store.after(version)) {
      try {
        ShardMap map = ShardMap.signed(network, authority, keys, row.note(), clock.instant());
        if (map.version() == row.version()) {
          newest = new SignedMap(map, row.note());
        } else {
          log.error(
              "the database holds shard map {} under the version {}", map.version(), row.version());
        }
      } catch (ProtocolException e) {
        log.error(
            "the database holds a shard map, version {}, that this authority did not sign: {}",
            row.version(),
            e.code());
      }
    }
  }
}
