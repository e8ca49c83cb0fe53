package io.solidus.authority.signer;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.Verifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies transfers in native batches, one single-threaded call for each thread. A free thread
 * starts at once, so a lone transfer does not wait. Transfers that arrive while all threads are
 * busy gather and share a call. The queue is bounded, in transfers.
 *
 * <p>The pool cannot identify the sender of a transfer, so two lanes separate probably valid from
 * suspicious transfers. The quarantine lane gets transfers of cores that failed recently, and those
 * that a gateway marks as doubtful; they are verified apart from the others. Each lane has its own
 * batch size, which adapts to its share of wrong proofs. While the usual lane has work, the
 * quarantine lane has a quarter of the time.
 *
 * <p>The threads are platform threads, because a native call pins a virtual one.
 */
final class VerificationPool implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(VerificationPool.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

  /**
   * The part of the queue and of the time for suspicious transfers (one in this many), so that a
   * flood of them cannot displace the others.
   */
  private static final int QUARANTINE_PART = 4;

  /**
   * The expected share of wrong proofs in quarantine: cores that failed once fail again more often
   * than not.
   */
  private static final double QUARANTINE_SHARE = 0.5;

  /**
   * Limits of the pool.
   *
   * @param threads native calls at a time
   * @param batch the most transfers in one call
   * @param queue transfers that may wait, at least {@link Verifier#MAX_BATCH}
   */
  record Limits(int threads, int batch, int queue) {
    Limits {
      if (threads < 1 || batch < 1 || batch > Verifier.MAX_BATCH || queue < Verifier.MAX_BATCH) {
        throw new IllegalArgumentException("limits of the verification pool");
      }
    }
  }

  /** Observes native calls; called outside the lock, by several threads. */
  interface Observer {
    /**
     * A call has ended.
     *
     * @param wrong transfers with a wrong proof, for which the batch was halved
     */
    void verified(int size, int wrong, long nanos);
  }

  private final TransferVerifier verifier;
  private final Limits limits;
  private final Observer observer;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final VerificationLane usual;
  private final VerificationLane quarantine;
  private final List<Thread> threads = new ArrayList<>();
  private int busy;
  private boolean closed;

  VerificationPool(TransferVerifier verifier, Limits limits, Observer observer) {
    this(verifier, limits, observer, System::nanoTime);
  }

  VerificationPool(
      TransferVerifier verifier, Limits limits, Observer observer, LongSupplier nanoTime) {
    this.verifier = verifier;
    this.limits = limits;
    this.observer = observer;
    this.nanoTime = nanoTime;
    this.usual = new VerificationLane(new AdaptiveBatchSize(limits.batch(), 0));
    this.quarantine = new VerificationLane(new AdaptiveBatchSize(limits.batch(), QUARANTINE_SHARE));
    for (int i = 0; i < limits.threads(); i++) {
      threads.add(Thread.ofPlatform().name("signer-verify-" + i).daemon().start(this::work));
    }
  }

  /**
   * Requires room for a call before any work on it.
   *
   * @throws ProtocolException overloaded
   */
  void requireRoom(int count) {
    if (waiting() + count > limits.queue()) {
      throw overloaded();
    }
  }

  /**
   * Queues all transfers or none. If the quarantine lane is full, only the suspicious transfer
   * fails.
   *
   * @throws ProtocolException overloaded, or unavailable after {@link #close}
   */
  void submit(List<PendingVerification> verifications) {
    lock.lock();
    try {
      if (closed) {
        throw stopping();
      }
      long unsuspicious = verifications.stream().filter(v -> !v.suspicious()).count();
      if (usual.waiting() + unsuspicious > limits.queue()) {
        throw overloaded();
      }
      verifications.forEach(this::queue);
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Removes transfers whose call has ended. */
  void removeGivenUp() {
    lock.lock();
    try {
      usual.removeGivenUp();
      quarantine.removeGivenUp();
    } finally {
      lock.unlock();
    }
  }

  int waiting() {
    return (int) read(pool -> pool.usual.waiting() + pool.quarantine.waiting());
  }

  /** The share of wrong proofs among recent transfers, without the quarantine. */
  double wrongShare() {
    return read(pool -> pool.usual.size().share());
  }

  /** The most transfers in one call at present. */
  int batchSize() {
    return (int) read(pool -> pool.usual.size().current());
  }

  @Override
  public void close() {
    List<PendingVerification> left = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      left.addAll(usual.takeAll());
      left.addAll(quarantine.takeAll());
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    left.forEach(v -> v.fail(stopping()));
    threads.forEach(VerificationPool::join);
  }

  private double read(ToDoubleFunction<VerificationPool> value) {
    lock.lock();
    try {
      return value.applyAsDouble(this);
    } finally {
      lock.unlock();
    }
  }

  private void queue(PendingVerification verification) {
    if (!verification.suspicious()) {
      usual.add(verification);
    } else if (quarantine.waiting() < limits.queue() / QUARANTINE_PART) {
      quarantine.add(verification);
    } else {
      verification.fail(overloaded());
    }
  }

  private void work() {
    while (true) {
      VerificationLane lane;
      List<PendingVerification> batch;
      lock.lock();
      try {
        while (usual.waiting() + quarantine.waiting() == 0) {
          if (closed) {
            return;
          }
          arrived.awaitUninterruptibly();
        }
        lane = next();
        batch = lane.take(limits.threads() - busy);
        busy++;
      } finally {
        lock.unlock();
      }
      long start = nanoTime.getAsLong();
      int wrong = verify(batch);
      lock.lock();
      try {
        busy--;
        lane.size().learn(batch.size(), wrong);
        usual.decay();
        quarantine.decay();
        lane.spend(nanoTime.getAsLong() - start);
      } finally {
        lock.unlock();
      }
    }
  }

  private VerificationLane next() {
    if (usual.waiting() == 0 || quarantine.waiting() == 0) {
      return usual.waiting() == 0 ? quarantine : usual;
    }
    return quarantine.spent() * QUARANTINE_PART <= usual.spent() + quarantine.spent()
        ? quarantine
        : usual;
  }

  /** Settles every transfer of the batch, also after a failure. */
  private int verify(List<PendingVerification> batch) {
    long start = nanoTime.getAsLong();
    int wrong = batch.size() == 1 ? alone(batch.getFirst()) : together(batch);
    try {
      observer.verified(batch.size(), wrong, nanoTime.getAsLong() - start);
    } catch (RuntimeException e) {
      log.warn("a batch was not counted: {}", e.getClass().getSimpleName());
    }
    return wrong;
  }

  private int together(List<PendingVerification> batch) {
    List<NativeErrorCode> codes;
    try {
      codes = verifier.together(batch);
    } catch (RuntimeException | LinkageError e) {
      log.error("a native batch failed as a whole: {}", e.getClass().getSimpleName());
      return batch.stream().mapToInt(this::alone).sum();
    }
    int wrong = 0;
    for (int i = 0; i < batch.size(); i++) {
      wrong += settle(batch.get(i), codes.get(i));
    }
    return wrong;
  }

  private int alone(PendingVerification verification) {
    try {
      return settle(verification, verifier.alone(verification));
    } catch (RuntimeException | LinkageError e) {
      verification.fail(new IllegalStateException("native work failed", e));
      return 0;
    }
  }

  /**
   * Sets the verdict; returns 1 for a wrong proof, which makes a batch expensive. Every other fault
   * is found before the batch, at little cost.
   */
  private static int settle(PendingVerification verification, NativeErrorCode code) {
    verification.settle(code);
    return code == NativeErrorCode.PROOF_INVALID ? 1 : 0;
  }

  private static void join(Thread thread) {
    try {
      if (!thread.join(STOP_LIMIT)) {
        log.warn("a native verification did not end within the stop limit");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ProtocolException overloaded() {
    return new ProtocolException(RejectionCode.OVERLOADED, "too many transfers are being verified");
  }

  private static ProtocolException stopping() {
    return new ProtocolException(RejectionCode.UNAVAILABLE, "the signer is stopping");
  }
}
