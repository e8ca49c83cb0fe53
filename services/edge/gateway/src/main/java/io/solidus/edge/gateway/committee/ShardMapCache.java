package io.solidus.edge.gateway.committee;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.ShardMap;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The newest known shard map of each authority. A map is accepted when the authority signed it with
 * its key in the committee's manifest, and it never replaces a newer one. Before the first map is
 * known the configured shards are assumed to have equal ranges. If that is wrong, a shard answers
 * with the signed map.
 */
@Component
class ShardMapCache {
  private static final Logger log = LoggerFactory.getLogger(ShardMapCache.class);

  private final Map<Integer, Known> known = new ConcurrentHashMap<>();
  private final Committee committee;
  private final NetworkId network;
  private final MeterRegistry metrics;
  private final MisbehaviourReporter misbehaviour;
  private final Clock clock;

  /** The outcome of an offered map. */
  enum Offer {
    NEWER,
    UNCHANGED,
    /** Not signed by the authority, or not readable. */
    REJECTED
  }

  /**
   * A known map.
   *
   * @param signed false for the assumption from the configuration
   */
  private record Known(ShardMap map, boolean signed) {}

  ShardMapCache(
      GatewayProperties properties,
      Committee committee,
      NetworkId network,
      MeterRegistry metrics,
      MisbehaviourReporter misbehaviour,
      Clock clock) {
    this.misbehaviour = misbehaviour;
    this.clock = clock;
    this.committee = committee;
    this.network = network;
    this.metrics = metrics;
    for (GatewayProperties.Authority authority : properties.authorities()) {
      int shards = Math.max(1, authority.shards().size());
      known.put(authority.index(), new Known(ShardMap.equal(authority.index(), 1, shards), false));
      metrics.gauge(
          "solidus.gateway.shard.map.version",
          tags(authority.index()),
          known,
          maps -> version(authority.index()));
    }
  }

  /**
   * The authority's newest known map.
   *
   * @throws ProtocolException malformed-request for an authority outside the committee
   */
  ShardMap of(int authority) {
    return entry(authority).map();
  }

  /** Whether the map is the assumption from the configuration. */
  boolean isGuess(int authority) {
    return !entry(authority).signed();
  }

  /** Checks a map that an authority sent and keeps it if it is newer. */
  Offer offer(int authority, String note) {
    NoteKeys keys = committee.noteKeys(authority);
    try {
      return accept(authority, ShardMap.signed(network, authority, keys, note, clock.instant()))
          ? Offer.NEWER
          : Offer.UNCHANGED;
    } catch (ProtocolException e) {
      count(authority, "forged");
      misbehaviour.report(authority, MisbehaviourReporter.Fault.FORGED_SHARD_MAP);
      return Offer.REJECTED;
    }
  }

  private boolean accept(int authority, ShardMap map) {
    Known before = entry(authority);
    Known now = known.merge(authority, new Known(map, true), ShardMapCache::newer);
    if (now.equals(before)) {
      if (map.version() < before.map().version()) {
        count(authority, "older");
      } else if (!map.equals(before.map())) {
        count(authority, "conflicting");
        misbehaviour.report(authority, MisbehaviourReporter.Fault.CONFLICTING_SHARD_MAPS);
      }
      return false;
    }
    count(authority, "taken");
    log.info(
        "authority {} has shard map {} with {} shards", authority, map.version(), map.shards());
    return true;
  }

  private static Known newer(Known before, Known offered) {
    return !before.signed() || offered.map().version() > before.map().version() ? offered : before;
  }

  private Known entry(int authority) {
    Known entry = known.get(authority);
    if (entry == null) {
      throw ProtocolException.malformed("no such authority");
    }
    return entry;
  }

  private double version(int authority) {
    Known entry = entry(authority);
    return entry.signed() ? entry.map().version() : 0;
  }

  private void count(int authority, String outcome) {
    metrics
        .counter(
            "solidus.gateway.shard.maps",
            "authority",
            Integer.toString(authority),
            "outcome",
            outcome)
        .increment();
  }

  private static Tags tags(int authority) {
    return Tags.of("authority", Integer.toString(authority));
  }
}
