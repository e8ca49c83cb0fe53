package io.solidus.operator.registration.evidence;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Verifier;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Verifies pi_register and the signature under rk in the native library. On threads of its own,
 * because a native call pins the virtual thread of a request; their number, the queue and the wait
 * are bounded.
 */
public final class NativeRegistrationCheck implements RegistrationCheck, AutoCloseable {
  private static final int QUEUE_PER_THREAD = 32;

  private final Verifier verifier;
  private final Duration deadline;
  private final ThreadPoolExecutor pool;

  public NativeRegistrationCheck(Verifier verifier, int threads, Duration deadline) {
    this.verifier = verifier;
    this.deadline = deadline;
    this.pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(threads * QUEUE_PER_THREAD),
            task -> Thread.ofPlatform().daemon().name("registration-check").unstarted(task));
  }

  @Override
  public void require(RegisterRequest request) {
    NativeErrorCode verdict = verify(request);
    if (verdict != NativeErrorCode.OK) {
      throw new ProtocolException(Verdicts.rejection(verdict), verdict.meaning());
    }
  }

  private NativeErrorCode verify(RegisterRequest request) {
    Future<NativeErrorCode> running;
    try {
      running = pool.submit(() -> verifier.verifyRegister(request));
    } catch (RejectedExecutionException e) {
      throw overloaded();
    }
    try {
      return running.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      running.cancel(false);
      throw overloaded();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw overloaded();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NativeException refused) {
        return refused.code();
      }
      throw new IllegalStateException("a registration could not be checked", e);
    }
  }

  private static ProtocolException overloaded() {
    return new ProtocolException(
        RejectionCode.OVERLOADED, "too many registrations at once; try again");
  }

  @Override
  public void close() {
    pool.shutdownNow();
    verifier.close();
  }
}
