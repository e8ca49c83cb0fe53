package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.StateFloors;
import io.solidus.prover.Limits;
import io.solidus.prover.SanctionTree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Policies and sanction lists of the fake network, countersigned by its authorities. */
final class FakeRules implements AutoCloseable {
  static final Period PERIOD = new Period(202611);

  private final Map<Long, Policy> policies = new TreeMap<>();
  private final Map<Long, byte[]> lists = new TreeMap<>();
  private long oldestAccepted = 1;
  private Period period = PERIOD;
  private Period oldestPeriod = PERIOD;
  private Policy policy;
  private SanctionList list;
  private SanctionCheckpoint checkpoint;
  private SanctionTree tree;

  FakeRules() {
    policy = policy(100_000, 500_000, 1_000_000, 50);
    list = new SanctionList(List.of());
    publishList(list);
  }

  Policy policy() {
    return policy;
  }

  SanctionCheckpoint checkpoint() {
    return checkpoint;
  }

  SanctionTree tree() {
    return tree;
  }

  byte[] list(long version) {
    return lists.get(version);
  }

  long oldestAcceptedPolicy() {
    return oldestAccepted;
  }

  Limits limits(long version) {
    return Limits.of(policies.get(version));
  }

  /** Publishes the next policy; the previous one is no longer accepted for new cores. */
  Policy policy(long perTransfer, long perPeriod, long held, int count) {
    long version = policies.size() + 1L;
    policy =
        new Policy(
            version,
            period,
            new Amount(perTransfer),
            new Amount(perPeriod),
            new Amount(held),
            Amount.ZERO,
            count,
            new Amount(1_000_000_000),
            0);
    policies.put(version, policy);
    oldestAccepted = version;
    oldestPeriod = period;
    return policy;
  }

  /** What a new core may still name. */
  StateFloors floors() {
    return new StateFloors(oldestAccepted, checkpoint.version(), oldestPeriod);
  }

  /** As {@link #period}; the policy and the period before are still accepted. */
  void periodWithGrace(Period next) {
    withGrace(() -> period(next));
  }

  /** As {@link #policy}; the policy before is still accepted. */
  void policyWithGrace(long perTransfer, long perPeriod, long held, int count) {
    withGrace(() -> policy(perTransfer, perPeriod, held, count));
  }

  private void withGrace(Runnable change) {
    long accepted = oldestAccepted;
    Period before = oldestPeriod;
    change.run();
    oldestAccepted = accepted;
    oldestPeriod = before;
  }

  /** Ends the time in which former policies and periods are accepted. */
  void endGrace() {
    oldestAccepted = policy.version();
    oldestPeriod = period;
  }

  boolean accepts(Period ofCore) {
    return ofCore.compareTo(oldestPeriod) >= 0 && ofCore.compareTo(period) <= 0;
  }

  /** Publishes a policy of another period with the same limits. */
  Policy period(Period next) {
    period = next;
    return policy(
        policy.maxPerTransfer().minor(),
        policy.maxPerPeriod().minor(),
        policy.maxHeld().minor(),
        policy.maxTransfersPerPeriod());
  }

  /** Publishes the next checkpoint with this address on the list. */
  void sanction(Apk apk) {
    publishList(
        new SanctionList(
            Stream.concat(list.keys().stream(), Stream.of(SanctionKey.of(apk)))
                .sorted()
                .distinct()
                .toList()));
  }

  String policyNote() {
    return note(policy.toNoteText(TestCommittee.NETWORK), 4);
  }

  String checkpointNote() {
    return note(checkpoint.toNoteText(TestCommittee.NETWORK), 4);
  }

  /** The note with the countersignatures of the first authorities. */
  static String note(String text, int countersignatures) {
    SignedNote note = null;
    for (var signer : TestNetwork.get().noteSigners.subList(0, countersignatures)) {
      note = note == null ? SignedNote.sign(text, signer) : note.with(signer.sign(text));
    }
    return note.encode();
  }

  @Override
  public void close() {
    tree.close();
  }

  private void publishList(SanctionList next) {
    list = next;
    byte[] bytes = next.toBytes();
    if (tree != null) {
      tree.close();
    }
    tree = SanctionTree.build(TestCommittee.NETWORK, bytes);
    long version = lists.size() + 1L;
    lists.put(version, bytes);
    checkpoint =
        new SanctionCheckpoint(
            version, tree.root(), next.keys().size(), next.digest(TestCommittee.NETWORK), 1);
  }
}
