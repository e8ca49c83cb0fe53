package io.solidus.authority.spend.simulation;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.List;

/** The rules of the committee: quorums, policies with their windows, and what a proof proves. */
final class CommitteeRules {

  /** How long a superseded policy is still accepted, in ticks. */
  static final long GRACE = 80;

  /**
   * A policy.
   *
   * @param effectiveAt in ticks
   * @param limit the largest payment, in minor units
   */
  record Policy(long effectiveAt, long limit) {}

  private final World world;
  private final int f;
  private final List<Policy> policies;

  /**
   * Makes rules.
   *
   * @param policies by version, from 0
   */
  CommitteeRules(World world, int f, List<Policy> policies) {
    this.world = world;
    this.f = f;
    this.policies = policies;
  }

  int f() {
    return f;
  }

  int quorum() {
    return world.mutated(Mutation.QUORUM_OF_2F) ? 2 * f : 2 * f + 1;
  }

  int weakQuorum() {
    return world.mutated(Mutation.FINISH_WITH_F) ? f : f + 1;
  }

  List<Policy> policies() {
    return policies;
  }

  /** The version in force now. */
  int newest() {
    int newest = 0;
    while (newest + 1 < policies.size()
        && policies.get(newest + 1).effectiveAt() <= world.events().now()) {
      newest++;
    }
    return newest;
  }

  /** Whether a wallet can make evidence for this transfer under a policy. */
  boolean provable(Transfer transfer, int policy) {
    return transfer.paid() <= policies.get(policy).limit();
  }

  /** Rejects malformed requests. */
  void decode(Request request) {
    boolean distinct =
        request.transfer().serials().stream().distinct().count()
            == request.transfer().serials().size();
    if (!distinct && !world.mutated(Mutation.DUPLICATE_SERIALS_ALLOWED)) {
      throw new ProtocolException(
          RejectionCode.SERIALS_NOT_DISTINCT, "serial numbers must be distinct");
    }
    long authorities =
        request.certificate().stream().map(SimulatedPartial::authority).distinct().count();
    if (authorities != request.certificate().size()
        && !world.mutated(Mutation.CERTIFICATE_COUNTS_COPIES)) {
      throw ProtocolException.malformed("a certificate names each authority at most once");
    }
  }

  /** Counts the partial signatures, as a shard does. */
  boolean claimsToFinish(Request request) {
    return request.certificate().size() >= weakQuorum();
  }

  /** Verifies the partial signatures, as the signer does. */
  boolean finishes(Request request) {
    long valid =
        request.certificate().stream()
            .filter(p -> p.verifies(p.authority(), request.transfer()))
            .count();
    return valid >= weakQuorum() && !world.mutated(Mutation.NO_FINISH_RULE);
  }

  void admit(Authority authority, Request request, boolean finishing) {
    admit(authority, authority.clock(), request, finishing);
  }

  /** Whether the policy of a new core is in its window by the true time. */
  boolean inTime(Authority authority, Request request) {
    try {
      admit(authority, world.events().now(), request, false);
      return true;
    } catch (ProtocolException e) {
      return false;
    }
  }

  private void admit(Authority authority, long now, Request request, boolean finishing) {
    int version = request.policy();
    if (now < policies.get(version).effectiveAt() + authority.policyDelay(version)) {
      throw new ProtocolException(RejectionCode.UNKNOWN_POLICY, "the policy is not known here yet");
    }
    boolean finishable = finishing && !world.mutated(Mutation.NO_FINISH_RULE);
    if (!finishable && version + 1 < policies.size() && now >= windowEnds(authority, version)) {
      throw new ProtocolException(RejectionCode.STALE_POLICY, "the policy was superseded");
    }
  }

  /** The time from which this authority accepts no new core under a policy that has a successor. */
  long windowEnds(Authority authority, int version) {
    return policies.get(version + 1).effectiveAt() + authority.policyDelay(version + 1) + GRACE;
  }

  /**
   * Stands for the checks of the proof, the shown signatures and the serial numbers: whether the
   * statement is true and the evidence is good.
   */
  void requireProof(Request request) {
    Transfer transfer = request.transfer();
    if (!request.proof() || !provable(transfer, request.policy())) {
      throw new ProtocolException(RejectionCode.PROOF_INVALID, "the proof does not verify");
    }
    long in = transfer.inputs().stream().mapToLong(Transfer.Coin::amount).sum();
    long out = transfer.outputs().stream().mapToLong(Transfer.Coin::amount).sum();
    boolean signed = transfer.inputs().stream().allMatch(world.oracle()::exists);
    if (in != out || (!signed && !world.mutated(Mutation.SPENT_INPUT_PROVEN_BY_ANYTHING))) {
      throw new ProtocolException(
          RejectionCode.SHOWN_SIGNATURE_INVALID, "an input is not a signed coin");
    }
  }
}
