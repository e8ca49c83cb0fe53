package io.solidus.authority.signer;

import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeRejections;
import java.util.Optional;

/**
 * Remembers rejected evidence. The same evidence is rejected again without work. Other evidence for
 * such a core is verified in quarantine, and is accepted if it is right: any client that sees a
 * core can send it with a broken proof.
 */
final class RejectedEvidence {

  private final LruMap<EvidenceKey, NativeErrorCode> rejected;
  private final LruMap<TxCore, Boolean> suspicious;

  RejectedEvidence(int capacity) {
    this.rejected = new LruMap<>(capacity);
    this.suspicious = new LruMap<>(capacity);
  }

  Optional<NativeErrorCode> of(EvidenceKey key) {
    return rejected.find(key);
  }

  boolean holds(TxCore core) {
    return suspicious.find(core).isPresent();
  }

  /**
   * Records a verdict. A failure that does not depend on the request, such as a defect of the
   * library, is not recorded.
   */
  void learn(EvidenceKey key, NativeErrorCode code) {
    if (code == NativeErrorCode.OK) {
      suspicious.forget(key.core());
      return;
    }
    RejectionCode meaning = NativeRejections.of(code);
    if (!meaning.retryable() && meaning != RejectionCode.INTERNAL) {
      rejected.remember(key, code);
      suspicious.remember(key.core(), Boolean.TRUE);
    }
  }

  int size() {
    return rejected.size();
  }
}
