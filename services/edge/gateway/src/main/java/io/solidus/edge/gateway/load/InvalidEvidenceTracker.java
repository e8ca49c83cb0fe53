package io.solidus.edge.gateway.load;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.limits.ClientNetwork;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
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

  private static final Duration RETENTION = Duration.ofMinutes(10);
  private static final int CAPACITY = 10_000;

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
        until
            .find(ClientNetwork.of(address))
            .filter(end -> clock.instant().isBefore(end))
            .isPresent();
    if (doubtful) {
      marked.increment();
    }
    return doubtful;
  }

  /** Whether a refusal with this code says that a request's evidence does not verify. */
  public static boolean isInvalidEvidence(RejectionCode code) {
    return INVALID_EVIDENCE.contains(code);
  }

  /** Records for which reason f+1 authorities refused a transfer of this client. */
  public void recordRefusal(String address, RejectionCode code) {
    if (isInvalidEvidence(code)) {
      recordInvalid(address);
    }
  }

  /** Records that a transfer of this client had evidence that does not verify. */
  public void recordInvalid(String address) {
    until.remember(ClientNetwork.of(address), clock.instant().plus(RETENTION));
  }
}
