package io.solidus.edge.gateway.committee;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.ShardMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The newest shard map of each authority, as far as known here. A map counts when its authority
 * signed it, with the key of the committee's manifest, and never takes the place of a newer one.
 * Before the first one is known the configured shards are taken to have equal ranges; when they
 * have not, a shard sends us on.
 */
@Component
class ShardMaps {
  private static final Logger LOG = LoggerFactory.getLogger(ShardMaps.class);

  private final Map<Integer, Known> known = new ConcurrentHashMap<>();
  private final Committee committee;
  private final NetworkId network;
  private final MeterRegistry metrics;
  private final Culprits culprits;

  /** What an offered map is. */
  enum Offer {
    NEWS,
    NOTHING_NEW,
    /** Not signed by the authority, or not readable. */
    REFUSED
  }

  /**
   * @param signed whether the authority said so, and not our configuration
   */
  private record Known(ShardMap map, boolean signed) {}

  ShardMaps(
      GatewayProperties properties,
      Committee committee,
      NetworkId network,
      MeterRegistry metrics,
      Culprits culprits) {
    this.culprits = culprits;
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
   * @throws ProtocolException for an authority that is not of the committee
   */
  ShardMap of(int authority) {
    return entry(authority).map();
  }

  /** Whether nothing but the configuration speaks for the map so far. */
  boolean guessed(int authority) {
    return !entry(authority).signed();
  }

  /** Takes over what an authority says its map is. */
  Offer offer(int authority, String note) {
    NoteKey key = committee.member(authority).countersigner();
    try {
      return take(authority, ShardMap.signed(network, authority, key, note))
          ? Offer.NEWS
          : Offer.NOTHING_NEW;
    } catch (ProtocolException refused) {
      count(authority, "forged");
      culprits.name(authority, Culprits.Fault.FORGED_SHARD_MAP);
      return Offer.REFUSED;
    }
  }

  private boolean take(int authority, ShardMap map) {
    Known before = entry(authority);
    Known now = known.merge(authority, new Known(map, true), ShardMaps::newer);
    if (now.equals(before)) {
      if (map.version() < before.map().version()) {
        count(authority, "older");
      } else if (!map.equals(before.map())) {
        count(authority, "conflicting");
        culprits.name(authority, Culprits.Fault.CONFLICTING_SHARD_MAPS);
      }
      return false;
    }
    count(authority, "taken");
    LOG.info(
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
