package io.solidus.authority.signer;

import io.solidus.authority.spend.rules.ProofTerms;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.NativeErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One transfer that the native verifier has to verify, with its verdict once there is one. */
final class PendingVerification {

  private final TransferStatement statement;
  private final Evidence evidence;
  private final ProofTerms terms;
  private final boolean suspicious;
  private final CompletableFuture<NativeErrorCode> verdict = new CompletableFuture<>();

  /**
   * Makes a verification.
   *
   * @param suspicious to verify in quarantine
   */
  PendingVerification(
      TransferStatement statement, Evidence evidence, ProofTerms terms, boolean suspicious) {
    this.statement = statement;
    this.evidence = evidence;
    this.terms = terms;
    this.suspicious = suspicious;
  }

  TransferStatement statement() {
    return statement;
  }

  Evidence evidence() {
    return evidence;
  }

  ProofTerms terms() {
    return terms;
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

  /** Whether it is decided or given up. */
  boolean done() {
    return verdict.isDone();
  }

  boolean givenUp() {
    return verdict.isCancelled();
  }

  /**
   * Waits for the verdict.
   *
   * @param end of the wait, on the clock of {@link System#nanoTime}; a time in the past does not
   *     wait
   * @throws ProtocolException overloaded, or unavailable after {@code end}: then it is given up
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
