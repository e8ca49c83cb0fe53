package io.solidus.edge.gateway.transfers;

import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * What became of the cores that were submitted last. Anybody can send one core as often as he
 * likes, so a repetition must not cost every authority another round: a signed core is answered
 * from here, evidence that f+1 authorities found invalid is refused from here, and few submissions
 * of one core run at the same time.
 *
 * <p>A certificate is kept for minutes, because the votes in it count only as long as the note keys
 * that made them.
 */
@Component
public final class RecentCores {
  /**
   * Refusals that follow from statement and evidence alone. f+1 authorities gave them, so a correct
   * one did, and it would say the same again.
   */
  private static final Set<RejectionCode> FINAL =
      EnumSet.of(
          RejectionCode.PROOF_INVALID,
          RejectionCode.SIGNATURE_INVALID,
          RejectionCode.SHOWN_SIGNATURE_INVALID,
          RejectionCode.IDENTITY_POINT,
          RejectionCode.POINT_NOT_ON_CURVE,
          RejectionCode.POINT_NOT_IN_SUBGROUP);

  /**
   * A wallet that repeats a request that it no longer waits for leaves the earlier ones running.
   */
  private static final int MAX_RUNNING = 4;

  /** Partial signatures that are kept, so that the memory does not grow with the committee. */
  private static final int MAX_PARTIALS = 20_000;

  private static final int MAX_REFUSALS = 20_000;

  private static final Duration KEPT = Duration.ofMinutes(10);

  private final Clock clock;
  private final LruMap<TxCore, Signed> signed;
  private final LruMap<Attempt, RejectionCode> refused = new LruMap<>(MAX_REFUSALS);
  private final Map<TxCore, Integer> running = new HashMap<>();

  private record Attempt(TxCore core, Digest32 evidence) {}

  private record Signed(Certificate certificate, Instant until) {}

  RecentCores(Committee committee, Clock clock) {
    this.clock = clock;
    this.signed = new LruMap<>(MAX_PARTIALS / committee.n());
  }

  /**
   * The certificate of the core.
   *
   * @param evidence digest of the evidence with which the core is submitted
   * @param submission asks the authorities
   * @throws ProtocolException overloaded while too many submissions of the core are running; the
   *     refusal of the submission, or of an earlier one with the same evidence
   */
  public Certificate answer(TxCore core, Digest32 evidence, Supplier<Certificate> submission) {
    return signed
        .find(core)
        .filter(kept -> clock.instant().isBefore(kept.until()))
        .map(Signed::certificate)
        .orElseGet(() -> submit(new Attempt(core, evidence), submission));
  }

  private Certificate submit(Attempt attempt, Supplier<Certificate> submission) {
    refused
        .find(attempt)
        .ifPresent(code -> {
          throw new ProtocolException(code, "f+1 authorities have refused this evidence");
        });
    begin(attempt.core());
    try {
      Certificate certificate = submission.get();
      signed.remember(attempt.core(), new Signed(certificate, clock.instant().plus(KEPT)));
      return certificate;
    } catch (ProtocolException e) {
      if (FINAL.contains(e.code())) {
        refused.remember(attempt, e.code());
      }
      throw e;
    } finally {
      end(attempt.core());
    }
  }

  private synchronized void begin(TxCore core) {
    if (running.getOrDefault(core, 0) >= MAX_RUNNING) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "this request is being submitted already; try again shortly");
    }
    running.merge(core, 1, Integer::sum);
  }

  private synchronized void end(TxCore core) {
    running.computeIfPresent(core, (key, count) -> count == 1 ? null : count - 1);
  }
}
