package io.solidus.authority.signer;

import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeRejections;
import java.util.concurrent.Callable;

/** Verifies evidence in a pool, once: the verdict on the same evidence is remembered. */
final class EvidenceVerdicts {

  private final AcceptedEvidence accepted;
  private final RejectedEvidence rejected;
  private final NativePool pool;

  /**
   * @param capacity verdicts of rejected evidence that are remembered
   */
  EvidenceVerdicts(AcceptedEvidence accepted, int capacity, NativePool pool) {
    this.accepted = accepted;
    this.rejected = new RejectedEvidence(capacity);
    this.pool = pool;
  }

  /**
   * Returns when the evidence is right.
   *
   * @param verification of all that the key stands for
   * @throws io.solidus.protocol.ProtocolException naming what is wrong with the evidence;
   *     overloaded or unavailable
   */
  void require(EvidenceKey key, Callable<NativeErrorCode> verification) {
    if (accepted.holds(key)) {
      return;
    }
    rejected.of(key).ifPresent(NativeRejections::requireOk);
    NativeErrorCode verdict = pool.run(verification);
    rejected.learn(key, verdict);
    NativeRejections.requireOk(verdict);
    accepted.remember(key);
  }
}
