package io.solidus.authority.spend.rules;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferFamilies;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.Limits;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides under which policy and checkpoint a core may be signed. A shard applies it before it
 * spends work, the signer before it signs; both with the same rules in force.
 *
 * <p>A core with the votes of f+1 authorities was accepted in time by an honest one. It is finished
 * under any policy and checkpoint that was ever in force: otherwise a change of rules would lock
 * the whole balance of an honest user in the middle of a payment. The caller passes this as {@code
 * finishing}; the signer has verified the votes.
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
   * Admits a transfer.
   *
   * @return the public values of the policy and the checkpoint that the evidence names
   * @throws ProtocolException when the policy, the checkpoint or the period cannot be used
   */
  @Spec("V-03")
  public ProofTerms admit(
      RulesInForce rules,
      TransferStatement statement,
      Evidence evidence,
      boolean finishing,
      Instant now) {
    if (kind == NetworkKind.UNREGULATED) {
      return new ProofTerms(Limits.NONE, FieldElement.ZERO);
    }
    VerifiedPolicy policy = policy(rules, evidence.policyVersion(), now);
    VerifiedCheckpoint checkpoint = checkpoint(rules, evidence.checkpointVersion());
    if (!finishing) {
      requireFresh(rules, now);
      requireInWindow(rules, policy, now);
      requirePeriod(rules, policy, statement.period(), now);
      requireInWindow(rules, checkpoint, now);
    }
    return new ProofTerms(Limits.of(policy.policy()), checkpoint.checkpoint().root());
  }

  /**
   * The oldest policy, checkpoint and period that a new core may still name. Older versions were
   * superseded for longer than their grace time, and newer rules change nothing about that.
   */
  public StateFloors floors(RulesInForce rules, Instant now) {
    if (kind == NetworkKind.UNREGULATED) {
      return StateFloors.NONE;
    }
    long policyFloor = 0;
    Period periodFloor = Period.NONE;
    // an announced policy says nothing about the one in force, which may arrive after it
    long inForce = rules.policyInForce(now).map(VerifiedPolicy::version).orElse(0L);
    for (VerifiedPolicy policy : rules.policies().headMap(inForce, true).descendingMap().values()) {
      if (policy.late()) {
        continue;
      }
      if (overdue(rules, policy, now)) {
        break; // so are all before it
      }
      policyFloor = policy.version();
      Period oldest = oldestPeriod(rules, policy, now);
      if (periodFloor.equals(Period.NONE) || oldest.compareTo(periodFloor) < 0) {
        periodFloor = oldest;
      }
    }
    long checkpointFloor = 0;
    for (VerifiedCheckpoint checkpoint : rules.checkpoints().descendingMap().values()) {
      if (checkpoint.late()) {
        continue;
      }
      if (overdue(rules, checkpoint, now)) {
        break;
      }
      checkpointFloor = checkpoint.version();
    }
    return new StateFloors(policyFloor, checkpointFloor, periodFloor);
  }

  /**
   * The public values that a transfer below a recover was proved with, under any policy and
   * checkpoint that was ever in force.
   *
   * @throws ProtocolException when the policy or the checkpoint is not known here
   */
  public ProofTerms admitBelow(RulesInForce rules, TransferBelow transfer, Instant now) {
    return admit(rules, transfer.statement(), transfer.evidence(), true, now);
  }

  /** The policy in force, whose cap bounds a mint. */
  public Policy admitMint(RulesInForce rules, Instant now) {
    if (kind == NetworkKind.REGULATED) {
      requireFresh(rules, now);
    }
    return rules
        .policyInForce(now)
        .map(VerifiedPolicy::policy)
        .orElseThrow(() -> rejected(RejectionCode.UNKNOWN_POLICY, "no policy is in force yet"));
  }

  /**
   * The highest cap of a policy that was ever in force. A mint that was counted against an earlier
   * cap is signed: a lowered cap must not leave it half signed.
   */
  public Amount highestMintCap(RulesInForce rules, Instant now) {
    return rules.policies().values().stream()
        .filter(policy -> !policy.effectiveAt().isAfter(now))
        .map(policy -> policy.policy().mintCapPerDay())
        .max(Comparator.naturalOrder())
        .orElse(Amount.ZERO);
  }

  /**
   * Requires a network with recovers, and transfers below one that the network has: an unregulated
   * one has no compliance coin that could lock.
   *
   * @throws ProtocolException malformed-request
   */
  public static void requireRecovers(TransferFamilies families, List<RequestBelow> below) {
    if (families.kind() != NetworkKind.REGULATED) {
      throw ProtocolException.malformed("this network does not accept the statement's family");
    }
    for (RequestBelow request : below) {
      if (request instanceof TransferBelow transfer) {
        families.require(transfer.statement().family());
      }
    }
  }

  /** Whether new cores are taken at all. */
  public boolean accepting(RulesInForce rules, Instant now) {
    return kind == NetworkKind.UNREGULATED || rules.fresh(now, windows.heartbeatMaxAge());
  }

  private VerifiedPolicy policy(RulesInForce rules, long version, Instant now) {
    VerifiedPolicy known = rules.policies().get(version);
    if (known == null) {
      throw version < rules.newestPolicyVersion()
          ? rejected(RejectionCode.STALE_POLICY, "the policy is older than any known here")
          : rejected(RejectionCode.UNKNOWN_POLICY, "the policy is not known here yet");
    }
    if (known.effectiveAt().isAfter(now)) {
      throw rejected(RejectionCode.UNKNOWN_POLICY, "the policy is not in force yet");
    }
    return known;
  }

  private static VerifiedCheckpoint checkpoint(RulesInForce rules, long version) {
    VerifiedCheckpoint known = rules.checkpoints().get(version);
    if (known == null) {
      throw version < rules.newestCheckpointVersion()
          ? rejected(RejectionCode.STALE_CHECKPOINT, "the checkpoint is older than any known here")
          : rejected(RejectionCode.UNKNOWN_CHECKPOINT, "the checkpoint is not known here yet");
    }
    return known;
  }

  @Spec("V-13")
  private void requireFresh(RulesInForce rules, Instant now) {
    if (!rules.fresh(now, windows.heartbeatMaxAge())) {
      throw rejected(
          RejectionCode.HEARTBEAT_STALE, "the last heartbeat of the sanctions service is too old");
    }
  }

  private void requireInWindow(RulesInForce rules, VerifiedPolicy policy, Instant now) {
    if (policy.late() || overdue(rules, policy, now)) {
      throw rejected(RejectionCode.STALE_POLICY, "the policy was superseded");
    }
  }

  private void requireInWindow(RulesInForce rules, VerifiedCheckpoint checkpoint, Instant now) {
    if (checkpoint.late() || overdue(rules, checkpoint, now)) {
      throw rejected(RejectionCode.STALE_CHECKPOINT, "the checkpoint was superseded");
    }
    if (!checkpoint.rebuilt()) {
      throw rejected(
          RejectionCode.UNKNOWN_CHECKPOINT, "the checkpoint's root has not been rebuilt yet");
    }
  }

  private void requirePeriod(
      RulesInForce rules, VerifiedPolicy policy, Period period, Instant now) {
    Period current = policy.policy().period();
    if (period.equals(current)) {
      return;
    }
    boolean previous = previousPeriod(rules, policy).filter(period::equals).isPresent();
    if (!previous || !previousPeriodCounts(rules, current, now)) {
      throw rejected(RejectionCode.STALE_PERIOD, "the period is not the policy's");
    }
  }

  private Period oldestPeriod(RulesInForce rules, VerifiedPolicy policy, Instant now) {
    Period current = policy.policy().period();
    return previousPeriod(rules, policy)
        .filter(previous ->
            previous.compareTo(current) < 0 && previousPeriodCounts(rules, current, now))
        .orElse(current);
  }

  private boolean previousPeriodCounts(RulesInForce rules, Period current, Instant now) {
    return now.isBefore(periodSwitchedAt(rules, current).plus(windows.periodGrace()));
  }

  /** Whether the policy was superseded, and its grace time is over. */
  private boolean overdue(RulesInForce rules, VerifiedPolicy policy, Instant now) {
    return over(rules.policySupersededAt(policy.version(), now), now);
  }

  private boolean overdue(RulesInForce rules, VerifiedCheckpoint checkpoint, Instant now) {
    return over(rules.checkpointSupersededAt(checkpoint.version(), windows.heartbeatMaxAge()), now);
  }

  private boolean over(Optional<Instant> superseded, Instant now) {
    return superseded.isPresent() && !now.isBefore(superseded.get().plus(windows.policyGrace()));
  }

  private static Optional<Period> previousPeriod(RulesInForce rules, VerifiedPolicy policy) {
    return rules.policies().headMap(policy.version(), false).descendingMap().values().stream()
        .map(p -> p.policy().period())
        .filter(p -> !p.equals(policy.policy().period()))
        .findFirst();
  }

  private static Instant periodSwitchedAt(RulesInForce rules, Period period) {
    return rules.policies().values().stream()
        .filter(p -> !p.late() && p.policy().period().equals(period))
        .map(VerifiedPolicy::inForceFrom)
        .min(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  private static ProtocolException rejected(RejectionCode code, String detail) {
    return new ProtocolException(code, detail);
  }
}
