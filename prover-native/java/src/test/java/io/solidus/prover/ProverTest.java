package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProverTest {
  private static final int MOST_REQUESTS = 1000;

  /** So many proofs take minutes. */
  private static final int QUEUE = 200;

  private final Suite suite = new Suite(TestKeys.NETWORK);
  private KeySet keys;

  private record Job(MintStatement statement, MintWitness witness) {}

  @BeforeAll
  void open() {
    keys = TestKeys.of(NetworkKind.REGULATED).open();
    keys.warmUp(Family.MINT);
  }

  @AfterAll
  void close() {
    keys.close();
  }

  private Job job() {
    MintId id = new MintId(Digest32.sha256(Wallet.field().bytes()));
    Amount value = new Amount(7);
    MintPlan plan =
        new MintPlan(
            new Apk(Wallet.field()),
            value,
            InputDigest.mint(TestKeys.NETWORK, id, value),
            Wallet.field(),
            Wallet.field(),
            Wallet.scalar());
    MintStatement statement = new MintStatement(id, value, suite.prepareMint(plan).blinded());
    return new Job(statement, new MintWitness(statement.core(TestKeys.NETWORK), plan));
  }

  @Test
  void concurrentProofsAllVerify() {
    List<Job> jobs = new ArrayList<>();
    List<CompletableFuture<byte[]>> proofs = new ArrayList<>();
    try (Prover prover = Prover.open(keys, 2, 16, Duration.ofMinutes(10));
        Verifier verifier = Verifier.open(keys, keys.committee())) {
      for (int i = 0; i < 6; i++) {
        jobs.add(job());
        proofs.add(prover.proveMintAsync(jobs.get(i).witness()));
      }
      for (int i = 0; i < jobs.size(); i++) {
        byte[] proof = proofs.get(i).join();
        assertThat(
                verifier.verifyMint(new MintRequest(jobs.get(i).statement(), 1, proof, List.of())))
            .isEqualTo(NativeErrorCode.OK);
        Job other = jobs.get((i + 1) % jobs.size());
        assertThat(verifier.verifyMint(new MintRequest(other.statement(), 1, proof, List.of())))
            .isEqualTo(NativeErrorCode.LINK_INVALID);
      }
    }
  }

  @Test
  void aFullQueueRefuses() {
    Job job = job();
    try (Prover prover = Prover.open(keys, 1, 1, Duration.ofMinutes(10))) {
      CompletableFuture<byte[]> first = prover.proveMintAsync(job.witness());
      int refused = 0;
      for (int i = 0; i < MOST_REQUESTS && refused < 3; i++) {
        CompletableFuture<byte[]> next = prover.proveMintAsync(job.witness());
        if (next.isCompletedExceptionally()) {
          assertThat(code(next)).isEqualTo(NativeErrorCode.OVERLOADED);
          refused++;
        }
      }
      assertThat(refused).isEqualTo(3);
      assertThat(first.join()).hasSize(Family.MINT.proofBytes());
    }
  }

  @Test
  void aProofAfterTheDeadlineFails() {
    Job job = job();
    try (Prover prover = Prover.open(keys, 1, 8, Duration.ofMillis(5))) {
      CompletableFuture<byte[]> first = prover.proveMintAsync(job.witness());
      CompletableFuture<byte[]> second = prover.proveMintAsync(job.witness());
      assertThat(code(second)).isEqualTo(NativeErrorCode.DEADLINE_EXCEEDED);
      assertThat(code(first)).isEqualTo(NativeErrorCode.DEADLINE_EXCEEDED);
      NativeException e =
          catchThrowableOfType(NativeException.class, () -> prover.proveMint(job.witness()));
      assertThat(e.code()).isEqualTo(NativeErrorCode.DEADLINE_EXCEEDED);
      assertThat(e.getStackTrace())
          .anySatisfy(
              frame -> assertThat(frame.getMethodName()).isEqualTo("aProofAfterTheDeadlineFails"));
    }
  }

  @Test
  void closingCancelsWaitingRequests() {
    Job job = job();
    Prover prover = Prover.open(keys, 1, QUEUE, Duration.ofMinutes(10));
    CompletableFuture<byte[]> running = prover.proveMintAsync(job.witness());
    List<CompletableFuture<byte[]>> waiting =
        Stream.generate(() -> prover.proveMintAsync(job.witness())).limit(QUEUE).toList();
    prover.close();
    assertThat(code(waiting.getLast())).isEqualTo(NativeErrorCode.CANCELLED);
    assertThat(code(prover.proveMintAsync(job.witness()))).isEqualTo(NativeErrorCode.CANCELLED);
    assertThat(running.join()).hasSize(Family.MINT.proofBytes());
  }

  @Test
  void keysWithoutTheCircuitProveNothing() {
    Job job = job();
    MintPlan p = job.witness().plan();
    try (Prover prover = Prover.open(keys, 1)) {
      NativeException noCircuit =
          catchThrowableOfType(
              NativeException.class,
              () ->
                  prover.proveUnregulated(
                      new UnregulatedWitness(
                          job.witness().core(),
                          new UnregulatedPlan(
                              p.seed(),
                              suite.publicKey(Wallet.keyScalar()),
                              List.of(
                                  PlanInput.coin(p.value(), Origin.PAYMENT, p.seed()),
                                  PlanInput.dummy(p.s())),
                              p.apk(),
                              p.value(),
                              Amount.ZERO,
                              Amount.ZERO,
                              Period.NONE,
                              p.d(),
                              p.seed(),
                              List.of(p.s(), p.s()),
                              List.of(p.b(), p.b())),
                          Wallet.keyScalar(),
                          List.of(shown(), shown()),
                          List.of(p.b(), p.b()),
                          List.of(p.s(), p.s()))));
      assertThat(noCircuit.code()).isEqualTo(NativeErrorCode.KEYS_NO_CIRCUIT);
    }
  }

  private io.solidus.protocol.ShownSignature shown() {
    var point = Wallet.g1(suite);
    return new io.solidus.protocol.ShownSignature(point, point, point);
  }

  private static NativeErrorCode code(CompletableFuture<byte[]> future) {
    return assertInstanceOf(
            NativeException.class,
            catchThrowableOfType(CompletionException.class, future::join).getCause())
        .code();
  }
}
