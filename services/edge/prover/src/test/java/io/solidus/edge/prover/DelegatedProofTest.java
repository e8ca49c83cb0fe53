package io.solidus.edge.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Family;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.RegisterRequest;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.SanctionTree;
import io.solidus.prover.Verifier;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.ProofEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The prover service with real proofs, as callers see it. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class DelegatedProofTest {
  private static final int SEALED_PROOF_BYTES = 12 + Family.MINT.proofBytes() + 16;

  @TempDir private static Path dir;
  private final SecureRandom random = new SecureRandom();
  private ProverHarness service;
  private KeySet keys;
  private Verifier verifier;

  @BeforeAll
  void start() throws IOException {
    service = new ProverHarness(dir, Map.of("logging.level.io.solidus", "TRACE"));
    keys = TestCommittee.regulated().openKeys();
    verifier = Verifier.open(keys, keys.committee());
  }

  @AfterAll
  void stop() {
    verifier.close();
    keys.close();
    service.close();
  }

  @Test
  void provesRegistrations() {
    WitnessMaker.Task<RegisterRequest> task = new WitnessMaker(keys).register();
    byte[] proof = service.prove(Family.REGISTER, task.witness());
    assertThat(verifier.verifyRegister(task.request().apply(proof))).isEqualTo(NativeErrorCode.OK);
  }

  @Test
  void provesMints() {
    WitnessMaker.Task<MintRequest> task = new WitnessMaker(keys).mint(5_000);
    byte[] proof = service.prove(Family.MINT, task.witness());
    assertThat(verifier.verifyMint(task.request().apply(proof))).isEqualTo(NativeErrorCode.OK);
  }

  @Test
  void provesTransfers() {
    try (SanctionTree tree = SanctionTree.build(TestCommittee.NETWORK, new byte[0])) {
      WitnessMaker.Task<WitnessMaker.Transfer> task =
          new WitnessMaker(keys).transfer(5_000, 2_000, tree);
      WitnessMaker.Transfer transfer =
          task.request().apply(service.prove(Family.TRANSFER, task.witness()));
      assertThat(
              verifier.verifyTransfer(
                  transfer.statement(), transfer.evidence(), WitnessMaker.LIMITS, tree.root()))
          .isEqualTo(NativeErrorCode.OK);
    }
  }

  @Test
  void returnsItsKeyAndCircuitVersion() {
    assertThat(service.key().getCircuitVersion()).isEqualTo(keys.circuitVersion(Family.TRANSFER));
    assertThat(service.publicKey()).isEqualTo(service.publicKey());
  }

  @Test
  void aRepeatedRequestIsProvedAndSealedAgain() {
    byte[] witness = new WitnessMaker(keys).mint(1).witness();
    try (ProofEnvelope.Asked asked = seal(Family.MINT, witness)) {
      byte[] once = service.send(Family.MINT.code(), asked.message());
      byte[] again = service.send(Family.MINT.code(), asked.message());
      assertThat(once).hasSize(SEALED_PROOF_BYTES).isNotEqualTo(again);
      assertThat(Arrays.copyOf(once, 12)).isNotEqualTo(Arrays.copyOf(again, 12));
      assertThat(asked.openProof(once)).hasSize(Family.MINT.proofBytes());
      assertThat(asked.openProof(again)).hasSize(Family.MINT.proofBytes());
    }
  }

  @Test
  void everyRefusalHasTheSameText() {
    WitnessMaker maker = new WitnessMaker(keys);
    byte[] good = maker.mint(10).witness();
    HpkePrivateKey other = HpkePrivateKey.generate(random);
    SealedMessage right = seal(Family.MINT, good).message();
    SealedMessage foreignKey =
        ProofEnvelope.seal(other.publicKey(), TestCommittee.NETWORK, Family.MINT, good).message();
    SealedMessage foreignNetwork =
        ProofEnvelope.seal(service.publicKey(), new NetworkId("other-net"), Family.MINT, good)
            .message();
    assertUnusable(() -> service.send(Family.MINT.code(), foreignKey));
    assertUnusable(() -> service.send(Family.MINT.code(), foreignNetwork));
    assertUnusable(() -> service.send(Family.REGISTER.code(), right));
    assertUnusable(() -> service.send(0, right));
    assertUnusable(() -> service.send(99, right));
    assertUnusable(() -> service.send(Family.RECOVER.code(), seal(Family.RECOVER, good).message()));
    assertUnusable(() ->
        service.send(
            Family.TRANSFER_UNREGULATED.code(), seal(Family.TRANSFER_UNREGULATED, good).message()));
    assertUnusable(() ->
        service.send(Family.MINT.code(), new SealedMessage(new byte[31], right.ciphertext())));
    assertUnusable(() ->
        service.send(Family.MINT.code(), new SealedMessage(new byte[32], right.ciphertext())));
    assertUnusable(() ->
        service.send(Family.MINT.code(), new SealedMessage(right.encapsulatedKey(), new byte[0])));
    assertUnusable(() ->
        service.send(
            Family.MINT.code(), new SealedMessage(right.encapsulatedKey(), new byte[70_000])));
  }

  @Test
  void refusesAnInvalidWitnessWithoutSayingWhy() {
    try (SanctionTree tree = SanctionTree.build(TestCommittee.NETWORK, new byte[0])) {
      byte[] tampered = new WitnessMaker(keys).transfer(5_000, 2_000, tree).witness();
      for (int at : new int[] {60, tampered.length / 2, tampered.length - 40}) {
        byte[] changed = tampered.clone();
        changed[at] ^= 1;
        assertUnusable(() -> service.prove(Family.TRANSFER, changed));
      }
    }
  }

  @Test
  void refusesSealedRandomBytesOfEverySize() {
    byte[] good = new WitnessMaker(keys).mint(10).witness();
    for (int i = 0; i < 200; i++) {
      byte[] garbage = new byte[random.nextInt(4096)];
      random.nextBytes(garbage);
      byte[] mutated = good.clone();
      // only version or family: a change further on may give a valid witness of another mint
      mutated[random.nextInt(2)] ^= (byte) (1 + random.nextInt(255));
      for (byte[] witness :
          List.of(garbage, Arrays.copyOf(good, random.nextInt(good.length)), mutated)) {
        assertUnusable(() -> service.prove(Family.MINT, witness));
      }
    }
    assertThat(service.prove(Family.MINT, good)).hasSize(Family.MINT.proofBytes());
  }

  @Test
  void secretsDoNotReachTheLog(CapturedOutput output) {
    WitnessMaker maker = new WitnessMaker(keys);
    service.prove(Family.REGISTER, maker.register().witness());
    byte[] broken = maker.register().witness();
    broken[broken.length - 1] ^= 1;
    try {
      service.prove(Family.REGISTER, broken);
    } catch (StatusRuntimeException e) {
      // the log matters here, not the outcome
    }
    assertThat(output.getAll()).doesNotContain(maker.secret().hex());
    assertThat(output.getAll()).doesNotContain(maker.secret().toBigInteger().toString());
  }

  @Test
  void refusesAnInvalidKeyFile() throws IOException {
    Path zeros = Files.write(dir.resolve("zeros"), new byte[32]);
    Path cut = Files.write(dir.resolve("cut"), new byte[31]);
    for (Path bad : List.of(zeros, cut, dir.resolve("missing"))) {
      assertThat(
              catchThrowable(() ->
                  new ProverHarness(dir, Map.of("solidus.prover.hpke-key-file", bad)).close()))
          .as(bad.toString())
          .hasStackTraceContaining("hpke-key-file");
    }
  }

  @Test
  void refusesCallersWhenTheQueueIsFull() throws Exception {
    try (ProverHarness small =
        new ProverHarness(
            dir, Map.of("solidus.prover.queue", 1, "solidus.prover.parallelism", 1))) {
      byte[] witness = new WitnessMaker(keys).register().witness();
      small.prove(Family.REGISTER, witness);
      List<String> outcomes =
          ConcurrentCallers.outcomes(8, () -> small.prove(Family.REGISTER, witness));
      assertThat(outcomes).contains("proved", "RESOURCE_EXHAUSTED");
      assertThat(outcomes)
          .allSatisfy(outcome -> assertThat(outcome).isIn("proved", "RESOURCE_EXHAUSTED"));
      assertThat(small.prove(Family.REGISTER, witness))
          .as("the queue is free again")
          .hasSize(Family.MINT.proofBytes());
    }
  }

  @Test
  void theCallersDeadlineEndsTheCall() {
    byte[] witness = new WitnessMaker(keys).register().witness();
    StatusRuntimeException late =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> service.prove(Family.REGISTER, witness, Duration.ofMillis(30)));
    assertThat(late.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(service.prove(Family.REGISTER, witness)).hasSize(Family.MINT.proofBytes());
  }

  @Test
  void answersProbesOverHttpAfterTheWarmUp() throws IOException {
    Map<String, Object> web = Map.of("management.server.port", 0, "solidus.prover.warm-up", true);
    try (ProverHarness warm = new ProverHarness(dir, web)) {
      RestProbe http = new RestProbe(warm.managementPort());
      assertThat(http.get("/actuator/health/readiness").status()).isEqualTo(200);
      assertThat(http.get("/actuator/prometheus").body()).contains("solidus_prover_proofs_pending");
    }
  }

  private ProofEnvelope.Asked seal(Family family, byte[] witness) {
    return ProofEnvelope.seal(service.publicKey(), TestCommittee.NETWORK, family, witness);
  }

  private static void assertUnusable(ThrowingCallable call) {
    StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refused.getStatus().getDescription()).isEqualTo("the witness cannot be used");
  }
}
