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

  /**
   * What follows a verdict. It runs on the verifier's thread whether or not a caller still waits,
   * and its time counts for the transfer's lane.
   */
  @FunctionalInterface
  interface Sequel {

    Sequel NONE = code -> {};

    /**
     * Takes note of the verdict.
     *
     * @throws ProtocolException when the transfer is refused although its evidence is right
     */
    void after(NativeErrorCode code);
  }

  private final TransferStatement statement;
  private final Evidence evidence;
  private final ProofTerms terms;
  private final boolean suspicious;
  private final Sequel sequel;
  private final CompletableFuture<NativeErrorCode> verdict = new CompletableFuture<>();

  /**
   * Makes a verification.
   *
   * @param suspicious to verify in quarantine
   */
  PendingVerification(
      TransferStatement statement,
      Evidence evidence,
      ProofTerms terms,
      boolean suspicious,
      Sequel sequel) {
    this.statement = statement;
    this.evidence = evidence;
    this.terms = terms;
    this.suspicious = suspicious;
    this.sequel = sequel;
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
    try {
      sequel.after(code);
      verdict.complete(code);
    } catch (RuntimeException e) {
      verdict.completeExceptionally(e);
    }
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
   * @throws ProtocolException overloaded, or unavailable after {@code end}: then it is given up. A
   *     suspicious one is not given up, but overloaded after {@code end}: its verdict will be known
   *     when it is sent again
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
      throw suspicious ? overloaded() : giveUp("verification took too long");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw giveUp("interrupted");
    }
  }

  private static ProtocolException overloaded() {
    return new ProtocolException(
        RejectionCode.OVERLOADED, "suspicious transfers are verified apart, and many are waiting");
  }

  private ProtocolException giveUp(String why) {
    verdict.cancel(false);
    return new ProtocolException(RejectionCode.UNAVAILABLE, why);
  }
}
