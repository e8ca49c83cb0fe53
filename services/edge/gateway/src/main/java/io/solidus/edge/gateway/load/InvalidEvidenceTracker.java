package io.solidus.edge.gateway.load;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.limits.LruMap;
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
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Remembers client networks that recently sent evidence that does not verify. A correct wallet
 * never sends such evidence. The gateway marks their transfers as doubtful, with one bit in the
 * request to the validators. Validators verify doubtful transfers apart from the others, so other
 * clients behind the same address are still served, a little later. Addresses are kept in memory
 * only, for ten minutes.
 */
@Component
public class InvalidEvidenceTracker {

  /** Refusals for invalid evidence that a validator detects only by native computation. */
  private static final Set<RejectionCode> INVALID_EVIDENCE =
      EnumSet.of(
          RejectionCode.PROOF_INVALID,
          RejectionCode.SIGNATURE_INVALID,
          RejectionCode.SHOWN_SIGNATURE_INVALID,
          RejectionCode.POINT_NOT_IN_SUBGROUP);

  private static final Logger log = LoggerFactory.getLogger(InvalidEvidenceTracker.class);
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final Duration RETENTION = Duration.ofMinutes(10);
  private static final int CAPACITY = 10_000;
  private static final int IPV6_NETWORK_BYTES = 8;

  private final InstantSource clock;
  private final Counter marked;
  private final LruMap<String, Instant> until = new LruMap<>(CAPACITY);

  @Autowired
  InvalidEvidenceTracker(MeterRegistry metrics) {
    this(Clock.systemUTC(), metrics);
  }

  InvalidEvidenceTracker(InstantSource clock, MeterRegistry metrics) {
    this.clock = clock;
    this.marked =
        Counter.builder("solidus.gateway.transfers.doubtful")
            .description("transfers that were marked as coming from a doubtful source")
            .register(metrics);
  }

  /**
   * Whether the client's network recently sent invalid evidence.
   *
   * @param address of the client, as the server sees it
   */
  public boolean isDoubtful(String address) {
    boolean doubtful =
        until.find(network(address)).filter(end -> clock.instant().isBefore(end)).isPresent();
    if (doubtful) {
      marked.increment();
    }
    return doubtful;
  }

  /** Records for which reason f+1 authorities refused a transfer of this client. */
  public void recordRefusal(String address, RejectionCode code) {
    if (INVALID_EVIDENCE.contains(code)) {
      recordInvalid(address);
    }
  }

  /** Records that a transfer of this client had evidence that does not verify. */
  public void recordInvalid(String address) {
    until.remember(network(address), clock.instant().plus(RETENTION));
  }

  /**
   * An IPv4 address, or the network part of an IPv6 address: one client can use every address of
   * its IPv6 network.
   */
  private static String network(String address) {
    if (IPV4.matcher(address).matches()) {
      return address;
    }
    try {
      if (address.indexOf(':') >= 0) { // a literal: getByName parses it and makes no DNS query
        InetAddress parsed = InetAddress.getByName(address);
        return parsed instanceof Inet6Address
            ? HexFormat.of().formatHex(parsed.getAddress(), 0, IPV6_NETWORK_BYTES)
            : parsed.getHostAddress();
      }
    } catch (UnknownHostException e) {
      log.debug("the address of a client is not an IP address");
    }
    return ""; // all unparsable addresses count as one network
  }
}
