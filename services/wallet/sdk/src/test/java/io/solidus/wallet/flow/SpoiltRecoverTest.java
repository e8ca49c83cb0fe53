package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.Wallet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authority 1, which the gateway shows first, has spoilt the evidence of what it shows. */
@Tag("process")
@Spec("W-10")
class SpoiltRecoverTest {
  private static final Map<String, UnaryOperator<RecoverRequest>> SPOILT =
      Map.of(
          "proof", request -> with(request, request.evidence().proof(), true),
          "signature", request -> with(request, request.evidence().rkSignature(), false),
          "proof below", SpoiltRecoverTest::spoiltBelow);

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet bob;
  private Wallet phone;
  private Wallet laptop;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.useRealProofs();
    bob = bench.registered("bob");
    bench.twoDevices(words);
    phone = bench.device("phone", bob);
    laptop = bench.device("laptop", bob);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static byte[] spoilt(byte[] bytes) {
    byte[] other = bytes.clone();
    other[other.length - 1] ^= 1;
    return other;
  }

  private static RecoverRequest with(RecoverRequest request, byte[] part, boolean isProof) {
    RecoverEvidence evidence = request.evidence();
    return new RecoverRequest(
        request.below(),
        request.statement(),
        new RecoverEvidence(
            evidence.circuitVersion(),
            evidence.rk(),
            isProof ? spoilt(part) : evidence.proof(),
            isProof ? evidence.rkSignature() : spoilt(part)),
        request.attachments());
  }

  private static RecoverRequest spoiltBelow(RecoverRequest request) {
    List<RequestBelow> below = new ArrayList<>(request.below());
    TransferBelow first = (TransferBelow) below.getFirst();
    below.set(0, new TransferBelow(first.statement(), spoilt(first.evidence())));
    return new RecoverRequest(
        below, request.statement(), request.evidence(), request.attachments());
  }

  private static Evidence spoilt(Evidence evidence) {
    return new Evidence(
        evidence.policyVersion(),
        evidence.checkpointVersion(),
        evidence.circuitVersion(),
        evidence.rk(),
        evidence.shows(),
        spoilt(evidence.proof()),
        evidence.rkSignature());
  }

  private static TransferRequest spoilt(TransferRequest request) {
    return new TransferRequest(
        request.statement(),
        spoilt(request.evidence()),
        request.attachments(),
        request.certificate());
  }

  private Path newFolder(String name) {
    try {
      return Files.createDirectory(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was proved before can no longer be verified by a wallet. */
  private void otherRules() {
    bench.gateway.rules.policy(1_000_000, 2_000_000, 3_000_000, 100);
  }

  @Test
  @Spec("W-05")
  void aRestoreFollowsTheRecoverThatAnotherAuthorityShows() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    phone.recover();
    FakeAuthority liar = bench.gateway.committee.authority(1);
    FakeAuthority.Stored honest = liar.stored();
    SPOILT.forEach((name, spoil) -> {
      liar.restore(honest);
      liar.showsRecovers(spoil);
      Wallet restored = bench.toRestore(name.replace(' ', '-'), words);
      restored.restore();
      assertThat(restored.balance()).as(name).isEqualTo(phone.balance());
      bench.closeWallet(restored);
    });
  }

  @Test
  void aRecoverOverASpoiltOneTakesTheOneThatAnotherAuthorityShows() {
    for (boolean old : List.of(false, true)) {
      SPOILT.forEach((name, spoil) -> {
        String as = name + (old ? " under other rules" : "");
        close();
        bench = new WalletBench(newFolder(as.replace(' ', '-')));
        bench.useRealProofs();
        bob = bench.registered("bob");
        bench.twoDevices(words);
        bench.copy("phone", "tablet");
        phone = bench.device("phone", bob);
        laptop = bench.device("laptop", bob);
        Wallet tablet = bench.device("tablet", bob);
        bench.payAt(phone, bob, 200, 1);
        bench.payAt(laptop, bob, 500, 2);
        bench.payAt(tablet, bob, 700, 3, 4);
        bench.only(1, 2);
        refused(RejectionCode.NO_QUORUM, () -> phone.recover(true));
        bench.only(1, 2, 3, 4);
        bench.gateway.committee.authority(1).showsRecovers(spoil);
        if (old) {
          otherRules();
        }
        assertThat(laptop.recover().burnt()).as(as).isEqualTo(amount(700));
        assertThat(bench.gateway.recovers.getLast().below()).hasSize(4);
      });
    }
  }

  @Test
  void aRecoverOverASpoiltTransferTakesTheOneThatAnotherAuthorityShows() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    bench.gateway.committee.authority(1).showsTransfers(SpoiltRecoverTest::spoilt);
    otherRules();
    assertThat(laptop.recover().burnt()).isEqualTo(amount(500));
    assertThat(laptop.balance().total()).isEqualTo(amount(5_800));
  }
}
