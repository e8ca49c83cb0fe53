package io.solidus.authority.signer;

import io.solidus.authority.spend.rules.Admission;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.NativeErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One transfer on its way through the native verifier. */
final class Verification {

  private final TransferStatement statement;
  private final Evidence evidence;
  private final Admission admission;
  private final boolean suspicious;
  private final CompletableFuture<NativeErrorCode> verdict = new CompletableFuture<>();

  /**
   * @param suspicious to be kept apart from the others
   */
  Verification(
      TransferStatement statement, Evidence evidence, Admission admission, boolean suspicious) {
    this.statement = statement;
    this.evidence = evidence;
    this.admission = admission;
    this.suspicious = suspicious;
  }

  TransferStatement statement() {
    return statement;
  }

  Evidence evidence() {
    return evidence;
  }

  Admission admission() {
    return admission;
  }

  boolean suspicious() {
    return suspicious;
  }

  void settle(NativeErrorCode code) {
    verdict.complete(code);
  }

  void fail(RuntimeException reason) {
    verdict.completeExceptionally(reason);
  }

  /** Nobody waits for it any more, or it is decided. */
  boolean over() {
    return verdict.isDone();
  }

  boolean givenUp() {
    return verdict.isCancelled();
  }

  /**
   * @param end of the wait, on the clock of {@link System#nanoTime}; one that is over does not wait
   * @throws ProtocolException overloaded, or unavailable when it took too long: then it is given up
   */
  NativeErrorCode await(long end) {
    try {
      return verdict.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException reason) {
        throw reason;
      }
      throw new IllegalStateException("native work failed", e.getCause());
    } catch (TimeoutException e) {
      throw giveUp("verification took too long");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw giveUp("interrupted");
    }
  }

  private ProtocolException giveUp(String why) {
    verdict.cancel(false);
    return new ProtocolException(RejectionCode.UNAVAILABLE, why);
  }
}
