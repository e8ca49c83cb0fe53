package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.spend.rules.Admission;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.protocol.Amount;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How transfers gather into native calls, with a verifier that a test holds back and lets go. */
class VerificationPoolTest {

  private static final TransferRequest REQUEST =
      new RandomTransfers(new NetworkId("pool-test")).next();
  private static final Admission ADMISSION =
      new Admission(new Limits(Amount.ZERO, Amount.ZERO, Amount.ZERO, 0), FieldElement.ZERO);
  private static final VerificationPool.Observer NOBODY = (size, wrong, nanos) -> {};

  private final HeldVerifier verifier = new HeldVerifier();
  private VerificationPool pool;

  @AfterEach
  void close() {
    verifier.letGo(1_000_000);
    pool.close();
  }

  @Test
  void aLoneTransferWaitsForNobodyAndGoesTheShortWay() {
    pool = pool(2, 256, 512);
    verifier.letGo(1);
    Verification lone = usual();
    pool.submit(List.of(lone));
    assertThat(verdict(lone)).isEqualTo(NativeErrorCode.OK);
    assertThat(verifier.calls()).containsExactly(1);
    assertThat(verifier.together).as("not as a batch").isZero();
  }

  @Test
  void aLargeBatchIsDividedEvenlyAmongTheFreeThreads() {
    pool = pool(2, 256, 512);
    pool.submit(usual(128));
    verifier.awaitStarted(2);
    assertThat(verifier.calls()).containsExactly(64, 64);
  }

  @Test
  void aSmallBatchIsNotDivided() {
    pool = pool(4, 256, 512);
    pool.submit(usual(7));
    verifier.awaitStarted(1);
    assertThat(verifier.calls()).containsExactly(7);
    assertThat(pool.waiting()).isZero();
  }

  @Test
  void whatComesWhileAllAreBusyGoesTogether() {
    pool = pool(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    for (int i = 0; i < 20; i++) {
      pool.submit(usual(3));
    }
    assertThat(pool.waiting()).isEqualTo(60);
    verifier.letGo(1);
    verifier.awaitStarted(2);
    assertThat(verifier.calls()).containsExactly(1, 60);
  }

  @Test
  void noCallIsLargerThanTheLimit() {
    pool = pool(1, 64, 1024);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    pool.submit(usual(150));
    verifier.letGo(3);
    verifier.awaitStarted(4);
    assertThat(verifier.calls()).containsExactly(1, 64, 64, 22);
  }

  @Test
  void queuesAllOfACallOrNothing() {
    pool = pool(1, 256, 256);
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
  void everyOneGetsTheVerdictOfItsOwn() {
    pool = pool(2, 256, 512);
    List<Verification> all = usual(90);
    verifier.wrong.addAll(List.of(all.get(0), all.get(44), all.get(89)));
    verifier.letGo(1_000);
    pool.submit(all);
    for (int i = 0; i < all.size(); i++) {
      assertThat(verdict(all.get(i)))
          .as("number %d", i)
          .isEqualTo(
              i == 0 || i == 44 || i == 89 ? NativeErrorCode.PROOF_INVALID : NativeErrorCode.OK);
    }
  }

  @Test
  void theSuspiciousShareNoCallWithOthers() {
    pool = pool(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<Verification> mixed = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      mixed.add(i % 3 == 0 ? suspicious() : usual());
    }
    pool.submit(mixed);
    verifier.letGo(1_000);
    mixed.forEach(VerificationPoolTest::verdict);
    assertThat(verifier.mixedCalls).isZero();
    assertThat(verifier.calls()).contains(8);
  }

  @Test
  void aFloodOfSuspiciousOnesDoesNotPushTheOthersOut() {
    pool = pool(1, 256, 256);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<Verification> flood = IntStream.range(0, 200).mapToObj(i -> suspicious()).toList();
    pool.submit(flood);
    assertThat(pool.waiting()).isEqualTo(64);
    pool.submit(usual(200));
    assertOverloaded(() -> flood.get(64).await(System.nanoTime()));
    verifier.letGo(1_000);
    assertThat(verdict(flood.get(63))).isEqualTo(NativeErrorCode.OK);
  }

  @Test
  void aFloodOfSuspiciousOnesGetsAQuarterOfTheTime() {
    pool = pool(1, 1, 256);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    pool.submit(IntStream.range(0, 64).mapToObj(i -> suspicious()).toList());
    List<Verification> others = usual(100);
    pool.submit(others);
    verifier.letGo(1_000);
    others.forEach(VerificationPoolTest::verdict);
    long suspiciousMeanwhile =
        verifier.order.stream().limit(101).filter(Verification::suspicious).count();
    assertThat(suspiciousMeanwhile).as("of the first hundred calls").isBetween(15L, 30L);
  }

  @Test
  void manyWrongProofsMakeBatchesSmallUntilTheirShareFalls() {
    pool = pool(1, 256, 1024);
    verifier.letGo(1_000_000);
    assertThat(pool.batchSize()).isEqualTo(256);
    run(512, 5);
    assertThat(pool.wrongShare()).isBetween(0.1, 0.25);
    assertThat(pool.batchSize()).as("single checks").isLessThanOrEqualTo(2);
    run(2_048, 0);
    assertThat(pool.batchSize()).isGreaterThanOrEqualTo(64);
  }

  @Test
  void aCallThatFailsAsAWholeIsTakenApart() {
    pool = pool(1, 256, 512);
    verifier.batchFails = true;
    verifier.letGo(1_000);
    List<Verification> all = usual(9);
    verifier.wrong.add(all.get(4));
    pool.submit(all);
    for (int i = 0; i < 9; i++) {
      assertThat(verdict(all.get(i)))
          .isEqualTo(i == 4 ? NativeErrorCode.PROOF_INVALID : NativeErrorCode.OK);
    }
  }

  @Test
  void whatNobodyWaitsForAnyMoreIsNotVerified() {
    pool = pool(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<Verification> impatient = usual(40);
    pool.submit(impatient);
    assertThat(
            catchThrowableOfType(
                    ProtocolException.class, () -> impatient.getFirst().await(System.nanoTime()))
                .code())
        .isEqualTo(RejectionCode.UNAVAILABLE);
    impatient
        .subList(1, 40)
        .forEach(
            v -> catchThrowableOfType(ProtocolException.class, () -> v.await(System.nanoTime())));
    pool.tidy();
    assertThat(pool.waiting()).isZero();
  }

  @Test
  void stoppingLeavesNobodyWaiting() {
    pool = pool(1, 256, 512);
    pool.submit(usual(1));
    verifier.awaitStarted(1);
    List<Verification> left = usual(10);
    pool.submit(left);
    verifier.letGo(1_000);
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
   * @param everyWrong each how manieth is wrong; 0 for none
   */
  private void run(int count, int everyWrong) {
    for (int done = 0; done < count; done += 128) {
      List<Verification> part = usual(128);
      for (int i = 0; everyWrong > 0 && i < part.size(); i += everyWrong) {
        verifier.wrong.add(part.get(i));
      }
      pool.submit(part);
      part.forEach(VerificationPoolTest::verdict);
    }
  }

  private VerificationPool pool(int threads, int batch, int queue) {
    return new VerificationPool(
        verifier, new VerificationPool.Limits(threads, batch, queue), NOBODY, verifier.clock::get);
  }

  private static NativeErrorCode verdict(Verification verification) {
    return verification.await(end());
  }

  private static long end() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
  }

  private static List<Verification> usual(int count) {
    return IntStream.range(0, count).mapToObj(i -> usual()).toList();
  }

  private static Verification usual() {
    return new Verification(REQUEST.statement(), REQUEST.evidence(), ADMISSION, false);
  }

  private static Verification suspicious() {
    return new Verification(REQUEST.statement(), REQUEST.evidence(), ADMISSION, true);
  }

  private static void assertOverloaded(Runnable work) {
    assertThat(catchThrowableOfType(ProtocolException.class, work::run).code())
        .isEqualTo(RejectionCode.OVERLOADED);
  }

  /** Each call needs a permit to end. */
  private static final class HeldVerifier implements TransferVerifier {

    private final Semaphore permits = new Semaphore(0);
    private final Semaphore started = new Semaphore(0);
    private final List<Integer> calls = Collections.synchronizedList(new ArrayList<>());
    private final Set<Verification> wrong =
        Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private volatile boolean batchFails;
    private volatile int together;
    private volatile int mixedCalls;
    private int taken;

    private final List<Verification> order = Collections.synchronizedList(new ArrayList<>());

    /** Every transfer takes a millisecond. */
    private final AtomicLong clock = new AtomicLong();

    @Override
    public NativeErrorCode alone(Verification transfer) {
      order.add(transfer);
      begin(1);
      return code(transfer);
    }

    @Override
    public List<NativeErrorCode> together(List<Verification> transfers) {
      together++;
      if (new HashSet<>(transfers.stream().map(Verification::suspicious).toList()).size() > 1) {
        mixedCalls++;
      }
      begin(transfers.size());
      if (batchFails) {
        throw new IllegalStateException("a test's failure");
      }
      return transfers.stream().map(this::code).toList();
    }

    void letGo(int count) {
      permits.release(count);
    }

    void awaitStarted(int count) {
      try {
        assertThat(started.tryAcquire(count - taken, 30, TimeUnit.SECONDS))
            .as("%d calls have begun", count)
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

    private NativeErrorCode code(Verification transfer) {
      return wrong.contains(transfer) ? NativeErrorCode.PROOF_INVALID : NativeErrorCode.OK;
    }
  }
}
