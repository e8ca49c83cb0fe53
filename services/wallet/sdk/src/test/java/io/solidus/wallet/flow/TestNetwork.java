package io.solidus.wallet.flow;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.NoteSigner;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.prover.Share;
import io.solidus.prover.Verifier;
import io.solidus.wallet.session.StubProofSystem;
import io.solidus.wallet.session.WalletPlatform;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The test committee's keys, shares and wallet platforms, opened once per test run for each kind of
 * network.
 */
final class TestNetwork {
  private static final class Regulated {
    static final TestNetwork INSTANCE = new TestNetwork(TestCommittee.regulated());
  }

  private static final class Shapes {
    static final TestNetwork INSTANCE = new TestNetwork(TestCommittee.withShapes());
  }

  private static final class Unregulated {
    static final TestNetwork INSTANCE = new TestNetwork(TestCommittee.unregulated());
  }

  final TestCommittee committee;
  final KeySet keys;
  final WalletPlatform platform;
  final WalletPlatform withStubProofs;
  final Verifier verifier;
  final List<Share> shares;
  final List<NoteSigner> noteSigners;

  private TestNetwork(TestCommittee committee) {
    this.committee = committee;
    this.keys = committee.openKeys();
    Prover prover = Prover.open(keys, 1);
    this.platform = WalletPlatform.over(keys, prover);
    this.withStubProofs = StubProofSystem.platform(keys, prover);
    this.verifier = Verifier.open(keys, keys.committee());
    this.shares = IntStream.rangeClosed(1, TestCommittee.N).mapToObj(committee::openShare).toList();
    this.noteSigners =
        IntStream.rangeClosed(1, TestCommittee.N).mapToObj(committee::countersigner).toList();
  }

  static TestNetwork get() {
    return Regulated.INSTANCE;
  }

  /** A regulated network with claims of 16. */
  static TestNetwork withShapes() {
    return Shapes.INSTANCE;
  }

  static TestNetwork unregulated() {
    return Unregulated.INSTANCE;
  }
}
