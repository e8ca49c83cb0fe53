package io.solidus.loadtest.forge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.KeySet;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.TransferBatchItem;
import io.solidus.prover.Verifier;
import io.solidus.wire.Codecs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForgedTransfersTest {
  private static final int COUNT = 40;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path dir;
  private KeySet keys;
  private Verifier verifier;
  private List<ForgedTransfer> forged;

  @BeforeAll
  void forge() {
    keys = ForgeFixture.keys().open();
    verifier = Verifier.open(keys, keys.committee());
    forged = series(TransferSeries.of("one", COUNT));
  }

  @AfterAll
  void close() {
    verifier.close();
    keys.close();
  }

  private List<ForgedTransfer> series(TransferSeries series) {
    Path file = dir.resolve("series");
    ForgedTransfers.write(ForgeFixture.keys(), ForgeFixture.RULES, series, file, PATIENCE);
    try (ForgedTransfers in = ForgedTransfers.open(file)) {
      assertThat(in.rules()).isEqualTo(ForgeFixture.RULES);
      assertThat(in.manifestDigest()).isEqualTo(keys.manifestDigest());
      assertThat(in.left()).isEqualTo(series.count());
      return all(in);
    }
  }

  private static List<ForgedTransfer> all(ForgedTransfers in) {
    List<ForgedTransfer> all = new ArrayList<>();
    for (Optional<ForgedTransfer> next = in.next(); next.isPresent(); next = in.next()) {
      all.add(next.get());
    }
    return all;
  }

  private NativeErrorCode verdict(TransferStatement statement, Evidence evidence) {
    return verifier.verifyTransfer(
        statement, evidence, ForgeFixture.LIMITS, ForgeFixture.RULES.root());
  }

  @Test
  void everyTransferVerifies() {
    List<TransferBatchItem> checks =
        forged.stream()
            .map(ForgedTransfer::request)
            .map(r ->
                new TransferBatchItem(
                    r.statement(), r.evidence(), ForgeFixture.LIMITS, ForgeFixture.RULES.root()))
            .toList();
    assertThat(verifier.verifyTransfers(checks)).hasSize(COUNT).containsOnly(NativeErrorCode.OK);
    TransferBatchItem first = checks.getFirst();
    assertThat(verdict(first.statement(), first.evidence())).isEqualTo(NativeErrorCode.OK);
  }

  @Test
  void theWireFormIsWhatTheServicesExpect() {
    for (ForgedTransfer transfer : forged) {
      TransferRequest request = transfer.request();
      assertThat(Codecs.toDomain(transfer.wire())).isEqualTo(request);
      assertThat(request.statement().core(ForgeFixture.NETWORK)).isEqualTo(transfer.core());
      request.requireContext(ForgeFixture.NETWORK);
      assertThat(request.statement().withdrawn()).isEqualTo(Amount.ZERO);
      assertThat(request.certificate()).isEmpty();
      assertThat(request.evidence().policyVersion()).isEqualTo(ForgeFixture.RULES.policyVersion());
      assertThat(request.evidence().checkpointVersion())
          .isEqualTo(ForgeFixture.RULES.checkpointVersion());
    }
  }

  @Test
  void alteredTransfersDoNotVerify() {
    TransferRequest request = forged.getFirst().request();
    TransferStatement s = request.statement();
    Evidence e = request.evidence();
    TransferStatement more =
        new TransferStatement(
            s.family(), s.serials(), s.outputs(), s.period(), new Amount(1), s.context());
    assertThat(verdict(more, e)).isEqualTo(NativeErrorCode.KEY_SIGNATURE_INVALID);
    assertThat(verdict(s, withProof(e, forged.get(1).request().evidence().proof())))
        .isEqualTo(NativeErrorCode.LINK_INVALID);
    Evidence shows =
        new Evidence(
            e.policyVersion(),
            e.checkpointVersion(),
            e.circuitVersion(),
            e.rk(),
            e.shows().reversed(),
            e.proof(),
            e.rkSignature());
    assertThat(verdict(s, shows)).isEqualTo(NativeErrorCode.LINK_INVALID);
    Limits wider =
        new Limits(
            new Amount(100_001),
            ForgeFixture.LIMITS.maxPerPeriod(),
            ForgeFixture.LIMITS.maxHeld(),
            ForgeFixture.LIMITS.maxEscrow(),
            50);
    assertThat(verifier.verifyTransfer(s, e, wider, ForgeFixture.RULES.root()))
        .isEqualTo(NativeErrorCode.PROOF_INVALID);
    assertThat(verifier.verifyTransfer(s, e, ForgeFixture.LIMITS, FieldElement.ofLong(4712)))
        .isEqualTo(NativeErrorCode.PROOF_INVALID);
  }

  private static Evidence withProof(Evidence e, byte[] proof) {
    return new Evidence(
        e.policyVersion(),
        e.checkpointVersion(),
        e.circuitVersion(),
        e.rk(),
        e.shows(),
        proof,
        e.rkSignature());
  }

  @Test
  void noTwoTransfersShareAnything() {
    Set<Object> seen = new HashSet<>();
    for (ForgedTransfer transfer : forged) {
      TransferRequest request = transfer.request();
      assertThat(seen.add(transfer.core())).isTrue();
      request.statement().serials().forEach(serial -> assertThat(seen.add(serial)).isTrue());
      request.statement().outputs().forEach(coin -> assertThat(seen.add(coin)).isTrue());
      request.evidence().shows().forEach(show -> assertThat(seen.add(show)).isTrue());
      assertThat(seen.add(request.evidence().rk())).isTrue();
    }
  }

  /** The shards own ranges of [0, r): a quarter of forty serial numbers each, give or take. */
  @Test
  void serialNumbersAreSpreadOverTheWholeField() {
    int[] quarters = new int[4];
    for (ForgedTransfer transfer : forged) {
      for (SerialNumber serial : transfer.request().statement().serials()) {
        quarters[
            serial.value().toBigInteger().shiftLeft(2).divide(FieldElement.MODULUS).intValue()]++;
      }
    }
    assertThat(Arrays.stream(quarters).boxed())
        .allSatisfy(n -> assertThat(n).isBetween(10, 60)); // 30 expected; fixed by the seed
  }

  @Test
  void partsAndVariantsOfASeries() {
    List<ForgedTransfer> part = series(new TransferSeries("one", 30, 10, 0, 1));
    for (int i = 0; i < part.size(); i++) {
      assertThat(part.get(i).bytes()).isEqualTo(forged.get(30 + i).bytes());
    }
    TransferStatement conflict =
        series(new TransferSeries("one", 0, 1, 1, 1)).getFirst().request().statement();
    TransferStatement original = forged.getFirst().request().statement();
    assertThat(conflict.serials()).isEqualTo(original.serials());
    assertThat(conflict.core(ForgeFixture.NETWORK))
        .isNotEqualTo(original.core(ForgeFixture.NETWORK));
    assertThat(series(TransferSeries.of("two", 1)).getFirst().request().statement().serials())
        .doesNotContainAnyElementsOf(original.serials());
  }

  @Test
  void brokenFilesAreRefused() throws Exception {
    Path file = dir.resolve("broken");
    ForgedTransfers.write(
        ForgeFixture.keys(), ForgeFixture.RULES, TransferSeries.of("broken", 2), file, PATIENCE);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    try (ForgedTransfers in = ForgedTransfers.open(file)) {
      assertThat(in.next()).isPresent();
      assertThatThrownBy(in::next)
          .isInstanceOf(ForgeException.class)
          .hasMessageContaining("cut off");
    }
    Files.write(file, Arrays.copyOf(whole, 10));
    assertThatThrownBy(() -> ForgedTransfers.open(file))
        .isInstanceOf(ForgeException.class)
        .hasMessageContaining("cut off");
    Files.writeString(file, "something else entirely");
    assertThatThrownBy(() -> ForgedTransfers.open(file))
        .isInstanceOf(ForgeException.class)
        .hasMessageContaining("not a series");
  }
}
