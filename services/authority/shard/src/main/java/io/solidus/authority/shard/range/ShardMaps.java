package io.solidus.authority.shard.range;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.Spec;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The newest shard map this process knows. What the database holds counts only when the authority
 * signed it, and an older map never takes the place of a newer one.
 */
@Spec("V-18")
public final class ShardMaps {

  private static final Logger log = LoggerFactory.getLogger(ShardMaps.class);

  /**
   * A map and the words it was signed in.
   *
   * @param note as {@link ShardMap#signed} reads it
   */
  public record SignedMap(ShardMap map, String note) {}

  private final MapStore store;
  private final NetworkId network;
  private final int authority;
  private final NoteKey key;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile long readings;
  private volatile @Nullable SignedMap newest;

  /**
   * @param key what the authority signs its notes with, checked against the committee's manifest
   */
  public ShardMaps(JdbcClient jdbc, NetworkId network, int authority, NoteKey key) {
    this.store = new MapStore(jdbc);
    this.network = network;
    this.authority = authority;
    this.key = key;
  }

  /**
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
   * Looks into the database; callers that come together share one look.
   *
   * @throws org.springframework.dao.DataAccessException when the database cannot be asked
   */
  public void refresh() {
    long before = readings;
    reading.lock();
    try {
      // a look that began after this call did is as good as an own one
      if (readings == before) {
        readings = before + 1;
        read();
      }
    } finally {
      reading.unlock();
    }
  }

  private void read() {
    SignedMap known = newest;
    long version = known == null ? 0 : known.map().version();
    for (MapStore.Row row : store.after(version)) {
      try {
        ShardMap map = ShardMap.signed(network, authority, key, row.note());
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
