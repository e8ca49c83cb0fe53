package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.signer.PendingVerification.Sequel;
import io.solidus.authority.spend.rules.ProofTerms;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.Limits;
import io.solidus.prover.NativeErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The forming of native calls, with a verifier that a test blocks and releases. */
class VerificationPoolTest {

  private static final TransferRequest REQUEST =
      new RandomTransfers(new NetworkId("pool-test")).next();
  private static final ProofTerms TERMS = new ProofTerms(Limits.NONE, FieldElement.ZERO);
  private static final VerificationPool.Observer NO_OBSERVER = (size, wrong, nanos) -> {};

  private final HeldVerifier verifier = new HeldVerifier();
  private VerificationPool pool = pool(1, 256, 512);

  @AfterEach
  void close() {
    verifier.release(1_000_000);
    pool.close();
  }

  @Test
  void verifiesALoneTransferAtOnceAndNotAsABatch() {
    start(2, 256, 512);
    verifier.release(1);
    PendingVerification lone = usual();
    pool.submit(List.of(lone));
    assertThat(verdict(lone)).isEqualTo(NativeErrorCode.OK);
    assertThat(verifier.calls()).containsExactly(1);
    assertThat(verifier.together.get()).as("not as a batch").isZero();
  }

  @Test
  void dividesALargeBatchEvenlyAmongTheFreeThreads() {
    start(2, 256, 512);
    pool.submit(usual(128));
    verifier.awaitStarted(2);
    assertThat(verifier.calls()).containsExactly(64, 64);
  }

  @Test
  void doesNotDivideASmallBatch() {
    start(4, 256, 512);
    pool.submit(usual(7));
    verifier.awaitStarted(1);
    assertThat(verifier.calls()).containsExactly(7);
    assertThat(pool.waiting()).isZero();
  }

  @Test
  void transfersThatArriveWhileAllThreadsAreBusyShareACall() {
    start(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    for (int i = 0; i < 20; i++) {
      pool.submit(usual(3));
    }
    assertThat(pool.waiting()).isEqualTo(60);
    verifier.release(1);
    verifier.awaitStarted(2);
    assertThat(verifier.calls()).containsExactly(1, 60);
  }

  @Test
  void noCallIsLargerThanTheLimit() {
    start(1, 64, 1024);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    pool.submit(usual(150));
    verifier.release(3);
    verifier.awaitStarted(4);
    assertThat(verifier.calls()).containsExactly(1, 64, 64, 22);
  }

  @Test
  void queuesAllTransfersOfACallOrNone() {
    start(1, 256, 256);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    pool.submit(usual(200));
    pool.requireRoom(56);
    assertOverloaded(() -> pool.requireRoom(57));
    assertOverloaded(() -> pool.submit(usual(57)));
    assertThat(pool.waiting()).as("counted in transfers, not in calls").isEqualTo(200);
    pool.submit(usual(56));
    assertThat(pool.waiting()).isEqualTo(256);
  }

  @Test
  void everyTransferGetsItsOwnVerdict() {
    start(2, 256, 512);
    List<PendingVerification> all = usual(90);
    verifier.wrong.addAll(List.of(all.get(0), all.get(44), all.get(89)));
    verifier.release(1_000);
    pool.submit(all);
    for (int i = 0; i < all.size(); i++) {
      assertThat(verdict(all.get(i)))
          .as("number %d", i)
          .isEqualTo(
              i == 0 || i == 44 || i == 89 ? NativeErrorCode.PROOF_INVALID : NativeErrorCode.OK);
    }
  }

  @Test
  void suspiciousTransfersShareNoCallWithOthers() {
    start(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<PendingVerification> mixed = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      mixed.add(i % 3 == 0 ? suspicious() : usual());
    }
    pool.submit(mixed);
    verifier.release(1_000);
    mixed.forEach(VerificationPoolTest::verdict);
    assertThat(verifier.mixedCalls.get()).isZero();
    assertThat(verifier.calls()).contains(8);
  }

  @Test
  void aFloodOfSuspiciousTransfersDoesNotDisplaceTheOthers() {
    start(1, 256, 256);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<PendingVerification> flood = IntStream.range(0, 200).mapToObj(i -> suspicious()).toList();
    pool.submit(flood);
    assertThat(pool.waiting()).isEqualTo(64);
    pool.submit(usual(200));
    assertOverloaded(() -> flood.get(64).await(System.nanoTime()));
    verifier.release(1_000);
    assertThat(verdict(flood.get(63))).isEqualTo(NativeErrorCode.OK);
  }

  @Test
  void aFloodOfSuspiciousTransfersGetsAQuarterOfTheTime() {
    start(1, 1, 256);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    pool.submit(IntStream.range(0, 64).mapToObj(i -> suspicious()).toList());
    List<PendingVerification> others = usual(100);
    pool.submit(others);
    verifier.release(1_000);
    others.forEach(VerificationPoolTest::verdict);
    long suspiciousCalls =
        verifier.order.stream().limit(101).filter(PendingVerification::suspicious).count();
    assertThat(suspiciousCalls).as("of the first hundred calls").isBetween(15L, 30L);
  }

  @Test
  void manyWrongProofsShrinkTheBatchesUntilTheirShareFalls() {
    start(1, 256, 1024);
    verifier.release(1_000_000);
    assertThat(pool.batchSize()).isEqualTo(256);
    run(512, 5);
    assertThat(pool.wrongShare()).isBetween(0.1, 0.25);
    assertThat(pool.batchSize()).as("single checks").isLessThanOrEqualTo(2);
    run(2_048, 0);
    assertThat(pool.batchSize()).isGreaterThanOrEqualTo(64);
  }

  @Test
  void verifiesOneByOneWhenACallFailsAsAWhole() {
    start(1, 256, 512);
    verifier.batchFails = true;
    verifier.release(1_000);
    List<PendingVerification> all = usual(9);
    verifier.wrong.add(all.get(4));
    pool.submit(all);
    for (int i = 0; i < 9; i++) {
      assertThat(verdict(all.get(i)))
          .isEqualTo(i == 4 ? NativeErrorCode.PROOF_INVALID : NativeErrorCode.OK);
    }
  }

  @Test
  void removesTransfersThatNoCallerWaitsFor() {
    start(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<PendingVerification> givenUp = usual(40);
    pool.submit(givenUp);
    assertThat(
            catchThrowableOfType(
                    ProtocolException.class, () -> givenUp.getFirst().await(System.nanoTime()))
                .code())
        .isEqualTo(RejectionCode.UNAVAILABLE);
    givenUp
        .subList(1, 40)
        .forEach(v ->
            assertThatThrownBy(() -> v.await(System.nanoTime()))
                .isInstanceOf(ProtocolException.class));
    pool.removeGivenUp();
    assertThat(pool.waiting()).isZero();
  }

  @Test
  void closingSettlesEveryTransfer() {
    start(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<PendingVerification> left = usual(10);
    pool.submit(left);
    verifier.release(1_000);
    pool.close();
    left.forEach(v -> {
      try {
        assertThat(v.await(end())).isEqualTo(NativeErrorCode.OK);
      } catch (ProtocolException e) {
        assertThat(e.code()).isEqualTo(RejectionCode.UNAVAILABLE);
      }
    });
    assertThat(catchThrowableOfType(ProtocolException.class, () -> pool.submit(usual(1))).code())
        .isEqualTo(RejectionCode.UNAVAILABLE);
  }

  /**
   * Verifies transfers.
   *
   * @param everyWrong the distance of wrong proofs; 0 for none
   */
  private void run(int count, int everyWrong) {
    for (int done = 0; done < count; done += 128) {
      List<PendingVerification> part = usual(128);
      for (int i = 0; everyWrong > 0 && i < part.size(); i += everyWrong) {
        verifier.wrong.add(part.get(i));
      }
      pool.submit(part);
      part.forEach(VerificationPoolTest::verdict);
    }
  }

  private void start(int threads, int batch, int queue) {
    pool.close();
    pool = pool(threads, batch, queue);
  }

  private VerificationPool pool(int threads, int batch, int queue) {
    return new VerificationPool(
        verifier,
        new VerificationPool.Limits(threads, batch, queue),
        NO_OBSERVER,
        verifier.clock::get);
  }

  private static NativeErrorCode verdict(PendingVerification verification) {
    return verification.await(end());
  }

  private static long end() {
    return System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
  }

  private static List<PendingVerification> usual(int count) {
    return IntStream.range(0, count).mapToObj(i -> usual()).toList();
  }

  private static PendingVerification usual() {
    return new PendingVerification(
        REQUEST.statement(), REQUEST.evidence(), TERMS, false, Sequel.NONE);
  }

  private static PendingVerification suspicious() {
    return new PendingVerification(
        REQUEST.statement(), REQUEST.evidence(), TERMS, true, Sequel.NONE);
  }

  private static void assertOverloaded(Runnable work) {
    assertThat(catchThrowableOfType(ProtocolException.class, work::run).code())
        .isEqualTo(RejectionCode.OVERLOADED);
  }

  /** A verifier whose calls need a permit to end. */
  private static final class HeldVerifier implements TransferVerifier {

    private final Semaphore permits = new Semaphore(0);
    private final Semaphore started = new Semaphore(0);
    private final List<Integer> calls = Collections.synchronizedList(new ArrayList<>());
    private final Set<PendingVerification> wrong =
        Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private volatile boolean batchFails;
    private final AtomicInteger together = new AtomicInteger();
    private final AtomicInteger mixedCalls = new AtomicInteger();
    private int taken;

    private final List<PendingVerification> order = Collections.synchronizedList(new ArrayList<>());

    /** A clock by which every transfer takes a millisecond. */
    private final AtomicLong clock = new AtomicLong();

    @Override
    public NativeErrorCode alone(PendingVerification transfer) {
      order.add(transfer);
      begin(1);
      return code(transfer);
    }

    @Override
    public List<NativeErrorCode> together(List<PendingVerification> transfers) {
      together.incrementAndGet();
      if (new HashSet<>(transfers.stream().map(PendingVerification::suspicious).toList()).size()
          > 1) {
        mixedCalls.incrementAndGet();
      }
      begin(transfers.size());
      if (batchFails) {
        throw new IllegalStateException("a test's failure");
      }
      return transfers.stream().map(this::code).toList();
    }

    void release(int count) {
      permits.release(count);
    }

    void awaitStarted(int count) {
      try {
        assertThat(started.tryAcquire(count - taken, 5, TimeUnit.MINUTES))
            .as("%d calls have started", count)
            .isTrue();
        taken = count;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    List<Integer> calls() {
      return List.copyOf(calls);
    }

    private void begin(int size) {
      calls.add(size);
      started.release();
      permits.acquireUninterruptibly();
      clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(size));
    }

    private NativeErrorCode code(PendingVerification transfer) {
      return wrong.contains(transfer) ? NativeErrorCode.PROOF_INVALID : NativeErrorCode.OK;
    }
  }
}
