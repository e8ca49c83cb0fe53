package io.solidus.authority.signer;

import com.sun.management.OperatingSystemMXBean;
import io.solidus.authority.spend.rules.ProofTerms;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.dev.testkit.world.Rules;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SanctionList;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Verifier;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Measures what wrong proofs cost the good ones: processor time per transfer, in batches of a fixed
 * size and in batches that adapt to the share of wrong proofs. A program, not a test: {@code
 * WrongProofsBench.main}.
 */
final class WrongProofsBench {

  private static final int PERIOD = 202606;
  private static final int CALL = 128;
  private static final int CALLS = 12;

  private final TestCommittee keys = TestCommittee.of(NetworkKind.REGULATED);
  private final Verifier verifier = Verifier.open(keys.keys(), keys.committee());
  private final NativeTransferVerifier library =
      new NativeTransferVerifier(verifier, NetworkKind.REGULATED);
  private final TransferRequest good;
  private final TransferRequest wrong;
  private final ProofTerms admission;

  private WrongProofsBench() {
    MovableClock clock = new MovableClock();
    List<SanctionKey> listed =
        List.of(SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10"));
    try (TestSanctions sanctions = new TestSanctions(keys.network(), clock)) {
      Policy policy = TestSanctions.policy(1, PERIOD, 1_000, clock);
      SanctionCheckpoint checkpoint = sanctions.publish(1, listed);
      Rules rules = new Rules(keys.network(), policy, checkpoint, new SanctionList(listed));
      good = transfer(rules);
      wrong = Altered.proof(good, transfer(rules).evidence().proof());
      admission = new ProofTerms(Limits.of(policy), checkpoint.root());
    }
  }

  public static void main(String[] args) {
    WrongProofsBench bench = new WrongProofsBench();
    for (int size = 1; size <= Verifier.MAX_BATCH; size *= 2) {
      System.out.printf(
          "%d together: %.2f processor ms per transfer%n", size, bench.together(size));
    }
    System.out.println(
        "share  alone  fixed "
            + CALL
            + "  adaptive  adaptive after the start   (processor ms per transfer)");
    for (double share : new double[] {0, 0.01, 0.05, 0.2}) {
      bench.row(share);
    }
  }

  private void row(double share) {
    double alone = alone();
    double fixed = fixed(new Random(1), share);
    double adaptive;
    double settled;
    try (VerificationPool pool =
        new VerificationPool(
            library, new VerificationPool.Limits(1, CALL, 256), (size, bad, nanos) -> {})) {
      Random random = new Random(1);
      adaptive = adaptive(pool, random, share);
      settled = adaptive(pool, random, share);
    }
    System.out.printf(
        "%4.0f %% %6.2f %10.2f %9.2f %12.2f%n", 100 * share, alone, fixed, adaptive, settled);
  }

  /** Measures a batch without wrong proofs. */
  private double together(int size) {
    List<PendingVerification> batch = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      batch.add(verification(good));
    }
    int runs = Math.max(1, CALL / size);
    return millisEach(runs, runs * size, () -> library.together(batch));
  }

  private double alone() {
    PendingVerification one = verification(good);
    return millisEach(32, 32, () -> require(NativeErrorCode.OK, library.alone(one)));
  }

  private double fixed(Random random, double share) {
    return millisEach(CALLS, CALLS * CALL, () -> library.together(call(random, share)));
  }

  private double adaptive(VerificationPool pool, Random random, double share) {
    return millisEach(
        CALLS,
        CALLS * CALL,
        () -> {
          List<PendingVerification> call = call(random, share);
          pool.submit(call);
          long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
          call.forEach(v -> v.await(end));
        });
  }

  private static double millisEach(int runs, int transfers, Runnable work) {
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long before = process.getProcessCpuTime();
    for (int i = 0; i < runs; i++) {
      work.run();
    }
    return (process.getProcessCpuTime() - before) / 1e6 / transfers;
  }

  private List<PendingVerification> call(Random random, double share) {
    List<PendingVerification> call = new ArrayList<>(CALL);
    for (int i = 0; i < CALL; i++) {
      call.add(verification(random.nextDouble() < share ? wrong : good));
    }
    return call;
  }

  private PendingVerification verification(TransferRequest request) {
    return new PendingVerification(
        request.statement(), request.evidence(), admission, false, PendingVerification.Sequel.NONE);
  }

  private TransferRequest transfer(Rules rules) {
    TestWallet wallet = TestWallet.holding(keys, 10_000, serial -> true);
    return wallet
        .draft(
            TestWallet.holding(keys, 0, serial -> true).apk(),
            10,
            new Period(PERIOD),
            wallet.dummyRho(serial -> true),
            wallet.dummyRho(serial -> true))
        .prove(rules);
  }

  private static void require(NativeErrorCode expected, NativeErrorCode code) {
    if (code != expected) {
      throw new IllegalStateException(code.toString());
    }
  }
}
