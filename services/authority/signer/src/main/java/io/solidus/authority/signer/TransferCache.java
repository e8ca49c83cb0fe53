package io.solidus.authority.signer;

import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import java.util.Optional;

/**
 * Remembers the checks of transfers in this process, with bounded size. A restart clears it and
 * costs nothing but time.
 */
final class TransferCache {

  private final AcceptedEvidence accepted;
  private final RejectedEvidence rejected;
  private final LruMap<EvidenceKey, Boolean> certificates;
  private final LruMap<TxCore, SigningRequest> checked;

  /**
   * Makes an empty cache.
   *
   * @param accepted shared with mints
   */
  TransferCache(AcceptedEvidence accepted, int capacity) {
    this.accepted = accepted;
    this.rejected = new RejectedEvidence(capacity);
    this.certificates = new LruMap<>(capacity);
    this.checked = new LruMap<>(capacity);
  }

  /** Whether exactly this evidence was verified. */
  boolean accepted(EvidenceKey key) {
    return accepted.holds(key);
  }

  /** The reason why exactly this evidence was rejected. */
  Optional<NativeErrorCode> rejected(EvidenceKey key) {
    return rejected.of(key);
  }

  /** Whether the last evidence of the core failed. */
  boolean suspicious(TxCore core) {
    return rejected.holds(core);
  }

  /** Records a verdict. */
  void learn(EvidenceKey key, NativeErrorCode code) {
    if (code == NativeErrorCode.OK) {
      accepted.remember(key);
    }
    rejected.learn(key, code);
  }

  /** Whether exactly this certificate finishes the core; empty when it was not judged yet. */
  Optional<Boolean> finishes(EvidenceKey certificate) {
    return certificates.find(certificate);
  }

  /**
   * Records the judgement on a certificate, for the life of this process. What finished a core once
   * was accepted in time, also when a key ends afterwards by which it was judged.
   */
  void judged(EvidenceKey certificate, boolean finishes) {
    certificates.remember(certificate, finishes);
  }

  /**
   * Remembers an admitted and verified transfer, which may be signed by its core alone once it is
   * reserved.
   */
  void keep(SigningRequest signing) {
    checked.remember(signing.core(), signing);
  }

  Optional<SigningRequest> signing(TxCore core) {
    return checked.find(core);
  }

  int checkedCount() {
    return checked.size();
  }

  int rejectedCount() {
    return rejected.size();
  }
}
