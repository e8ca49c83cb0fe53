package io.solidus.authority.signer;

import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeRejections;
import java.util.Optional;

/**
 * Remembers the last rejected evidence of a core. The same evidence is rejected again without work.
 * Other evidence for such a core is verified in quarantine. The sender is irrelevant: any client
 * that sees a core can send it with a broken proof.
 */
final class RejectedEvidence {

  private record Rejection(Digest32 evidence, NativeErrorCode code) {}

  private final LruMap<TxCore, Rejection> rejected;

  RejectedEvidence(int capacity) {
    this.rejected = new LruMap<>(capacity);
  }

  Optional<NativeErrorCode> of(EvidenceKey key) {
    return rejected
        .find(key.core())
        .filter(r -> r.evidence().equals(key.evidence()))
        .map(Rejection::code);
  }

  boolean holds(TxCore core) {
    return rejected.find(core).isPresent();
  }

  /**
   * Records a verdict. A failure that does not depend on the request, such as a defect of the
   * library, is not recorded.
   */
  void learn(EvidenceKey key, NativeErrorCode code) {
    if (code == NativeErrorCode.OK) {
      rejected.forget(key.core());
      return;
    }
    RejectionCode meaning = NativeRejections.of(code);
    if (!meaning.retryable() && meaning != RejectionCode.INTERNAL) {
      rejected.remember(key.core(), new Rejection(key.evidence(), code));
    }
  }

  int size() {
    return rejected.size();
  }
}
