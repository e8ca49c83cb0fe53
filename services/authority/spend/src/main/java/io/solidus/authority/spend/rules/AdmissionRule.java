package io.solidus.authority.spend.rules;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.Limits;
import java.time.Instant;
import java.util.Optional;

/**
 * Which policy and checkpoint a core may be signed under. Shards ask before they spend work, the
 * signer before it signs; both with the same facts.
 *
 * <p>A core that brings f+1 partial signatures on its compliance coin was accepted in time by an
 * honest validator, so it is finished under any policy and checkpoint that ever was in force:
 * otherwise a switch in mid-flight would lock the whole balance of an honest user. The caller says
 * so by {@code finishing}; whoever signs has verified the partials.
 */
@Spec("V-10")
public final class AdmissionRule {

  private final NetworkKind kind;
  private final AdmissionWindows windows;

  public AdmissionRule(NetworkKind kind, AdmissionWindows windows) {
    this.kind = kind;
    this.windows = windows;
  }

  /**
   * Public values of the evidence's policy and checkpoint, or the reason why they cannot be used.
   */
  @Spec("V-03")
  public Admission admit(
      Facts facts, TransferStatement statement, Evidence evidence, boolean finishing, Instant now) {
    if (kind == NetworkKind.UNREGULATED) {
      return new Admission(new Limits(Amount.ZERO, Amount.ZERO, Amount.ZERO, 0), FieldElement.ZERO);
    }
    KnownPolicy policy = policy(facts, evidence.policyVersion(), now);
    KnownCheckpoint checkpoint = checkpoint(facts, evidence.checkpointVersion());
    if (!finishing) {
      requireFresh(facts, now);
      requireInWindow(facts, policy, now);
      requirePeriod(facts, policy, statement.period(), now);
      requireInWindow(facts, checkpoint, now);
    }
    return new Admission(Limits.of(policy.policy()), checkpoint.checkpoint().root());
  }

  /** The policy whose cap bounds a mint. */
  public Policy admitMint(Facts facts, Instant now) {
    if (kind == NetworkKind.REGULATED) {
      requireFresh(facts, now);
    }
    return facts
        .policyInForce(now)
        .map(KnownPolicy::policy)
        .orElseThrow(() -> rejected(RejectionCode.UNKNOWN_POLICY, "no policy is in force yet"));
  }

  /** Whether a new core can be taken at all. */
  public boolean accepting(Facts facts, Instant now) {
    return kind == NetworkKind.UNREGULATED || facts.fresh(now, windows.heartbeatMaxAge());
  }

  private KnownPolicy policy(Facts facts, long version, Instant now) {
    KnownPolicy known = facts.policies().get(version);
    if (known == null) {
      throw version < facts.newestPolicyVersion()
          ? rejected(RejectionCode.STALE_POLICY, "the policy is older than any known here")
          : rejected(RejectionCode.UNKNOWN_POLICY, "the policy is not known here yet");
    }
    if (known.effectiveAt().isAfter(now)) {
      throw rejected(RejectionCode.UNKNOWN_POLICY, "the policy is not in force yet");
    }
    return known;
  }

  private static KnownCheckpoint checkpoint(Facts facts, long version) {
    KnownCheckpoint known = facts.checkpoints().get(version);
    if (known == null) {
      throw version < facts.newestCheckpointVersion()
          ? rejected(RejectionCode.STALE_CHECKPOINT, "the checkpoint is older than any known here")
          : rejected(RejectionCode.UNKNOWN_CHECKPOINT, "the checkpoint is not known here yet");
    }
    return known;
  }

  @Spec("V-13")
  private void requireFresh(Facts facts, Instant now) {
    if (!facts.fresh(now, windows.heartbeatMaxAge())) {
      throw rejected(
          RejectionCode.HEARTBEAT_STALE,
          "the sanction authority has not been heard recently enough");
    }
  }

  private void requireInWindow(Facts facts, KnownPolicy policy, Instant now) {
    Optional<Instant> superseded = facts.policySupersededAt(policy.version(), now);
    if (policy.late()
        || superseded.isPresent() && !now.isBefore(superseded.get().plus(windows.policyGrace()))) {
      throw rejected(RejectionCode.STALE_POLICY, "the policy was superseded");
    }
  }

  private void requireInWindow(Facts facts, KnownCheckpoint checkpoint, Instant now) {
    if (checkpoint.late()) {
      throw rejected(RejectionCode.STALE_CHECKPOINT, "the checkpoint was superseded");
    }
    Optional<Instant> superseded =
        facts.checkpointSupersededAt(checkpoint.version(), windows.heartbeatMaxAge());
    if (superseded.isPresent() && !now.isBefore(superseded.get().plus(windows.policyGrace()))) {
      throw rejected(RejectionCode.STALE_CHECKPOINT, "the checkpoint was superseded");
    }
    if (!checkpoint.rebuilt()) {
      throw rejected(
          RejectionCode.UNKNOWN_CHECKPOINT, "the checkpoint's root has not been rebuilt yet");
    }
  }

  private void requirePeriod(Facts facts, KnownPolicy policy, Period period, Instant now) {
    Period current = policy.policy().period();
    if (period.equals(current)) {
      return;
    }
    boolean previous = previousPeriod(facts, policy).filter(period::equals).isPresent();
    if (!previous || !now.isBefore(periodSwitchedAt(facts, current).plus(windows.periodGrace()))) {
      throw rejected(RejectionCode.STALE_PERIOD, "the period is not the policy's");
    }
  }

  private static Optional<Period> previousPeriod(Facts facts, KnownPolicy policy) {
    return facts.policies().headMap(policy.version(), false).descendingMap().values().stream()
        .map(p -> p.policy().period())
        .filter(p -> !p.equals(policy.policy().period()))
        .findFirst();
  }

  private static Instant periodSwitchedAt(Facts facts, Period period) {
    return facts.policies().values().stream()
        .filter(p -> !p.late() && p.policy().period().equals(period))
        .map(KnownPolicy::inForceFrom)
        .min(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  private static ProtocolException rejected(RejectionCode code, String detail) {
    return new ProtocolException(code, detail);
  }
}
