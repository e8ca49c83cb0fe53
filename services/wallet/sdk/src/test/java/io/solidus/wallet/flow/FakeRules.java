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
    return policy;
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
