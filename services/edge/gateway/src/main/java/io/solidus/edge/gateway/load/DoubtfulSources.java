package io.solidus.edge.gateway.load;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.protocol.RejectionCode;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Who lately sent evidence that does not verify, which no wallet that works ever does. Validators
 * are told of it with each transfer, one bit and nothing else, and verify such a transfer apart
 * from the others: neighbours behind the same address are served all the same, a little later.
 * Addresses stay in memory, for ten minutes, and go nowhere.
 */
@Component
public class DoubtfulSources {

  /** Evidence that is wrong in a way that costs a validator native work. */
  private static final Set<RejectionCode> WRONG =
      EnumSet.of(
          RejectionCode.PROOF_INVALID,
          RejectionCode.SIGNATURE_INVALID,
          RejectionCode.SHOWN_SIGNATURE_INVALID,
          RejectionCode.POINT_NOT_IN_SUBGROUP);

  private static final Logger log = LoggerFactory.getLogger(DoubtfulSources.class);
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final Duration MEMORY = Duration.ofMinutes(10);
  private static final int CAPACITY = 10_000;
  private static final int IPV6_NETWORK_BYTES = 8;

  private final InstantSource clock;
  private final Counter marked;
  private final Map<String, Instant> until =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          return size() > CAPACITY;
        }
      };

  @Autowired
  DoubtfulSources(MeterRegistry metrics) {
    this(Clock.systemUTC(), metrics);
  }

  DoubtfulSources(InstantSource clock, MeterRegistry metrics) {
    this.clock = clock;
    this.marked =
        Counter.builder("solidus.gateway.transfers.doubtful")
            .description("transfers that were marked as coming from a doubtful source")
            .register(metrics);
  }

  /**
   * @param address of the client, as the server knows it
   */
  public synchronized boolean doubtful(String address) {
    Instant end = until.get(network(address));
    boolean doubtful = end != null && clock.instant().isBefore(end);
    if (doubtful) {
      marked.increment();
    }
    return doubtful;
  }

  /** What f+1 authorities said of a transfer from there. */
  public synchronized void refused(String address, RejectionCode code) {
    if (WRONG.contains(code)) {
      String network = network(address);
      until.remove(network); // the newest goes to the end
      until.put(network, clock.instant().plus(MEMORY));
    }
  }

  /**
   * An IPv4 address, or the network part of an IPv6 address: whoever has one has all of its others.
   */
  private static String network(String address) {
    if (IPV4.matcher(address).matches()) {
      return address;
    }
    try {
      if (address.indexOf(':') >= 0) { // such a name is parsed and never looked up
        InetAddress parsed = InetAddress.getByName(address);
        return parsed instanceof Inet6Address
            ? HexFormat.of().formatHex(parsed.getAddress(), 0, IPV6_NETWORK_BYTES)
            : parsed.getHostAddress();
      }
    } catch (UnknownHostException e) {
      log.debug("a client's address is none");
    }
    return ""; // all strange ones are one source
  }
}
