package io.solidus.authority.signer;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeRejections;
import java.util.Optional;

/**
 * Remembers the evidence that failed last for a core. The same again is refused without work; other
 * evidence for such a core is verified, but in quarantine. Whoever is at fault is not asked:
 * anybody who sees a core can send it with a broken proof.
 */
final class Refusals {

  private record Refusal(Digest32 evidence, NativeErrorCode code) {}

  private final Recent<TxCore, Refusal> refused;

  Refusals(int capacity) {
    this.refused = new Recent<>(capacity);
  }

  Optional<NativeErrorCode> of(VerdictCache.Key key) {
    return refused
        .find(key.core())
        .filter(r -> r.evidence().equals(key.evidence()))
        .map(Refusal::code);
  }

  boolean holds(TxCore core) {
    return refused.find(core).isPresent();
  }

  /**
   * Takes a verdict over. One that says nothing about the request, such as a defect of the library,
   * is not remembered.
   */
  void learn(VerdictCache.Key key, NativeErrorCode code) {
    if (code == NativeErrorCode.OK) {
      refused.forget(key.core());
      return;
    }
    RejectionCode meaning = NativeRejections.of(code);
    if (!meaning.retryable() && meaning != RejectionCode.INTERNAL) {
      refused.remember(key.core(), new Refusal(key.evidence(), code));
    }
  }

  int size() {
    return refused.size();
  }
}
