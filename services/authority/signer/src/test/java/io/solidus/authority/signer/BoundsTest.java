package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Caches and queues are bounded. */
class BoundsTest {

  @Test
  void removesTheLeastRecentlyUsedVerdict() {
    AcceptedEvidence cache = new AcceptedEvidence(2);
    cache.remember(key(1));
    cache.remember(key(2));
    cache.remember(key(1));
    cache.remember(key(3));
    assertThat(cache.holds(key(2))).isFalse();
    assertThat(cache.holds(key(1))).isTrue();
    assertThat(cache.holds(key(3))).isTrue();
    assertThat(cache.size()).isEqualTo(2);
  }

  @Test
  void aVerdictHoldsForOneCoreAndItsEvidenceOnly() {
    AcceptedEvidence cache = new AcceptedEvidence(10);
    cache.remember(new EvidenceKey(core(1), Digest32.sha256()));
    assertThat(cache.holds(new EvidenceKey(core(2), Digest32.sha256()))).isFalse();
    assertThat(cache.holds(new EvidenceKey(core(1), Digest32.sha256(new byte[1])))).isFalse();
    assertThat(cache.holds(new EvidenceKey(core(1), Digest32.sha256()))).isTrue();
  }

  @Test
  void rejectsCallsBeyondTheQueue() throws InterruptedException {
    CountDownLatch hold = new CountDownLatch(1);
    List<Thread> callers = new ArrayList<>();
    try (NativePool pool = new NativePool(1, 1, Duration.ofSeconds(20))) {
      for (int i = 0; i < 2; i++) {
        callers.add(
            Thread.ofPlatform()
                .start(() ->
                    pool.run(() -> {
                      hold.await();
                      return 1;
                    })));
      }
      while (pool.queued() < 1) {
        Thread.onSpinWait();
      }
      assertThat(catchThrowableOfType(ProtocolException.class, () -> pool.run(() -> 1)).code())
          .isEqualTo(RejectionCode.OVERLOADED);
      hold.countDown();
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(pool.run(() -> 7)).isEqualTo(7);
    }
  }

  @Test
  void givesUpACallAfterItsDeadline() {
    CountDownLatch never = new CountDownLatch(1);
    try (NativePool pool = new NativePool(1, 1, Duration.ofMillis(50))) {
      assertThat(
              catchThrowableOfType(
                      ProtocolException.class,
                      () ->
                          pool.run(() -> {
                            never.await();
                            return 1;
                          }))
                  .code())
          .isEqualTo(RejectionCode.UNAVAILABLE);
    }
  }

  @Test
  void aDefectOfTheLibraryIsNotARejection() {
    NativeException defect = new NativeException(NativeErrorCode.INTERNAL, "a panic");
    try (NativePool pool = new NativePool(1, 1, Duration.ofSeconds(20))) {
      Callable<Integer> failing =
          () -> {
            throw defect;
          };
      assertThat(catchThrowableOfType(NativeException.class, () -> pool.run(failing)).code())
          .isEqualTo(NativeErrorCode.INTERNAL);
      assertThat(
              catchThrowableOfType(
                      NativeException.class, () -> pool.runAll(List.of(failing)).getFirst().get())
                  .code())
          .isEqualTo(NativeErrorCode.INTERNAL);
    }
  }

  private static EvidenceKey key(int n) {
    return new EvidenceKey(core(n), Digest32.sha256(new byte[] {(byte) n}));
  }

  private static TxCore core(int n) {
    return new TxCore(Digest32.sha256(new byte[] {(byte) n}));
  }
}
