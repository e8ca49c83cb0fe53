package io.solidus.loadtest.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SanctionKey;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Prover;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Share;
import io.solidus.prover.TransferBatchItem;
import io.solidus.prover.Verifier;
import io.solidus.wallet.session.WalletPlatform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SimulatorTest {
  private KeySet keys;
  private Verifier verifier;
  private List<Share> shares;
  private Simulator simulator;
  private SanctionTree tree;
  private CoinOwner alice;

  @BeforeAll
  void start() {
    keys = ForgeFixture.keys().open();
    verifier = Verifier.open(keys, keys.committee());
    shares = IntStream.rangeClosed(1, 4).mapToObj(ForgeFixture.keys()::share).toList();
    simulator = Simulator.start(ForgeFixture.keys());
    tree =
        SanctionTree.build(
            ForgeFixture.NETWORK, SanctionKey.of(new Apk(CoinOwner.field())).bytes());
    alice = new CoinOwner(keys, shares, new SimulatedProofs(simulator));
  }

  @AfterAll
  void close() {
    simulator.close();
    tree.close();
    shares.forEach(Share::close);
    verifier.close();
    keys.close();
  }

  private NativeErrorCode verdict(TransferBatchItem t) {
    return verifier.verifyTransfer(t.statement(), t.evidence(), t.limits(), t.root());
  }

  @Test
  void realCoinsAreSpentWithSimulatedProofs() {
    assertThat(verifier.verifyRegister(alice.register())).isEqualTo(NativeErrorCode.OK);
    assertThat(verifier.verifyMint(alice.mint(5_000))).isEqualTo(NativeErrorCode.OK);
    TransferBatchItem payment = alice.pay(new Apk(CoinOwner.field()), 1_200, tree);
    assertThat(verdict(payment)).isEqualTo(NativeErrorCode.OK);
    TransferBatchItem elsewhere =
        new TransferBatchItem(
            payment.statement(), payment.evidence(), ForgeFixture.LIMITS, CoinOwner.field());
    assertThat(verdict(elsewhere)).isEqualTo(NativeErrorCode.PROOF_INVALID);
  }

  /** A witness is judged as a prover judges it. */
  @Test
  void falseWitnessesAreRefused() {
    CoinOwner bob = new CoinOwner(keys, shares, new SimulatedProofs(simulator));
    bob.register();
    bob.mint(200_000);
    Apk recipient = new Apk(CoinOwner.field());
    long tooMuch = ForgeFixture.LIMITS.maxPerTransfer().minor() + 1;
    NativeException refused =
        catchThrowableOfType(NativeException.class, () -> bob.pay(recipient, tooMuch, tree));
    assertThat(refused.code()).isEqualTo(NativeErrorCode.OVER_LIMIT_TRANSFER);
    assertThat(verdict(bob.pay(recipient, tooMuch - 1, tree))).isEqualTo(NativeErrorCode.OK);
  }

  /** The simulator proves false statements too: more than a limit allows was paid here. */
  @Test
  void aFalseStatementIsProvedWhereItsLinkHolds() {
    alice.register();
    alice.mint(5_000);
    TransferBatchItem payment = alice.pay(new Apk(CoinOwner.field()), 1_200, tree);
    Limits narrow =
        new Limits(new Amount(1), ForgeFixture.LIMITS.maxPerPeriod(), Amount.ZERO, Amount.ZERO, 50);
    TransferBatchItem tooMuch =
        new TransferBatchItem(payment.statement(), payment.evidence(), narrow, tree.root());
    assertThat(verdict(tooMuch)).isEqualTo(NativeErrorCode.PROOF_INVALID);
    Evidence e = payment.evidence();
    Evidence claimed =
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            simulator.proveTransfer(tooMuch),
            e.rkSignature());
    assertThat(verdict(new TransferBatchItem(payment.statement(), claimed, narrow, tooMuch.root())))
        .isEqualTo(NativeErrorCode.OK);
  }

  /** Only the wallet can make a link, and it belongs to one core. */
  @Test
  void aLinkIsNotMovedToAnotherCore() {
    RegisterRequest registration = alice.register();
    RegisterStatement other =
        new RegisterStatement(registration.statement().apk(), alice.register().statement().coin());
    RegisterRequest claimed =
        new RegisterRequest(
            other,
            registration.circuitVersion(),
            registration.rk(),
            registration.proof(),
            registration.rkSignature());
    assertThat(simulator.proveRegister(claimed))
        .hasSize(Family.REGISTER.proofBytes())
        .isNotEqualTo(registration.proof());

    MintRequest mint = alice.mint(5);
    MintStatement more =
        new MintStatement(
            mint.statement().mintId(), new Amount(1_000_000_000), mint.statement().coin());
    byte[] proof =
        simulator.proveMint(new MintRequest(more, mint.circuitVersion(), mint.proof(), List.of()));
    for (byte[] tried : List.of(proof, mint.proof())) {
      assertThat(
              verifier.verifyMint(new MintRequest(more, mint.circuitVersion(), tried, List.of())))
          .isEqualTo(NativeErrorCode.LINK_INVALID);
    }
    byte[] again = simulator.proveMint(mint);
    assertThat(again).isNotEqualTo(mint.proof());
    assertThat(
            verifier.verifyMint(
                new MintRequest(mint.statement(), mint.circuitVersion(), again, List.of())))
        .isEqualTo(NativeErrorCode.OK);
  }

  @Test
  void evidenceIsRenewedUnderOtherRules() {
    alice.register();
    alice.mint(5_000);
    TransferBatchItem payment = alice.pay(new Apk(CoinOwner.field()), 10, tree);
    TransferBatchItem moved =
        new TransferBatchItem(
            payment.statement(), payment.evidence(), ForgeFixture.LIMITS, CoinOwner.field());
    assertThat(verdict(moved)).isEqualTo(NativeErrorCode.PROOF_INVALID);
    Evidence e = moved.evidence();
    Evidence renewed =
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion() + 1,
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            simulator.proveTransfer(moved),
            e.rkSignature());
    assertThat(
            verdict(
                new TransferBatchItem(moved.statement(), renewed, moved.limits(), moved.root())))
        .isEqualTo(NativeErrorCode.OK);
  }

  @Test
  void walletPlatformsAcceptThem() {
    try (Prover none = Prover.open(keys, 1);
        WalletPlatform platform = WalletPlatform.over(keys, none, new SimulatedProofs(simulator))) {
      CoinOwner carol = new CoinOwner(keys, shares, platform.localProofs());
      assertThat(platform.proofCheck().verifyRegister(carol.register()))
          .isEqualTo(NativeErrorCode.OK);
    }
  }

  @Test
  void aCallThatIsNotAnsweredInTimeEndsTheSimulator() {
    MintRequest mint = alice.mint(5);
    try (Simulator hasty = Simulator.start(ForgeFixture.keys(), Duration.ofNanos(1))) {
      assertThatThrownBy(() -> hasty.proveMint(mint))
          .isInstanceOf(ForgeException.class)
          .hasMessageContaining("within");
      assertThatThrownBy(() -> hasty.proveMint(mint)).isInstanceOf(ForgeException.class);
    }
  }

  @Test
  void aClosedOrFailedSimulatorSaysSo(@TempDir Path empty) {
    MintRequest mint = alice.mint(5);
    Simulator closed = Simulator.start(ForgeFixture.keys());
    closed.close();
    assertThat(catchThrowableOfType(NativeException.class, () -> closed.proveMint(mint)).code())
        .isEqualTo(NativeErrorCode.CANCELLED);
    LoadTestKeys broken =
        LoadTestKeys.make(empty, ForgeFixture.NETWORK, ForgeFixture.keys().kind(), 4);
    assertThat(empty.resolve("simulator.json").toFile().delete()).isTrue();
    try (Simulator failed = Simulator.start(broken)) {
      assertThatThrownBy(() -> failed.proveMint(mint))
          .isInstanceOf(ForgeException.class)
          .hasMessageContaining("ended");
    }
  }
}
