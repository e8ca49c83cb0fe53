package io.solidus.authority.signer;

import io.solidus.protocol.Committee;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decides whether a request proves that f+1 authorities, so at least one correct one, already
 * signed its core in time.
 *
 * <p>Their votes prove it. Their points would not: anybody can move them to another core that
 * differs only in the blindings k. The share epoch does not matter.
 */
@Spec("V-11")
final class FinishRule {

  /**
   * A certificate with more wrong votes is refused without a look at the others. Gateways and
   * wallets send only votes that they verified; a few may be by a key that this signer does not
   * know.
   */
  private static final int MOST_WRONG = 2;

  private final Committee committee;
  private final LongAdder verified = new LongAdder();

  FinishRule(Committee committee) {
    this.committee = committee;
  }

  /** Whether a certificate has enough votes, if they are valid. No vote is verified. */
  boolean hasEnough(TransferRequest request) {
    return request.certificate().size() >= committee.weakQuorum();
  }

  /**
   * Verifies the votes of a certificate, which names each authority at most once: at most f+1 valid
   * ones and three wrong ones.
   */
  boolean finishes(TxCore core, TransferRequest request) {
    if (!hasEnough(request)) {
      return false;
    }
    int right = 0;
    int wrong = 0;
    for (PartialSignature partial : request.certificate()) {
      verified.increment();
      if (!partial.votesFor(core, committee)) {
        wrong++;
      } else if (++right == committee.weakQuorum()) {
        return true;
      }
      if (wrong > MOST_WRONG) {
        return false;
      }
    }
    return false;
  }

  /** The votes that were verified since the start. */
  long verified() {
    return verified.sum();
  }
}
