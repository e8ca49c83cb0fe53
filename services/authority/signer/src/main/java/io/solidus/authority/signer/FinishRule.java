package io.solidus.authority.signer;

import io.solidus.protocol.Committee;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;

/**
 * Decides whether a core was accepted in time, so that it is finished under any policy and
 * checkpoint: by f+1 authorities, so at least one correct one, or by this signer itself in a former
 * epoch.
 *
 * <p>Votes prove the first. Points would not: anybody can move them to another core that differs
 * only in the blindings k. The signer's own table proves the second, whatever a shard says.
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
  private final BiPredicate<TxCore, List<SerialNumber>> signedHere;
  private final LongAdder verified = new LongAdder();

  /**
   * Makes the rule.
   *
   * @param signedHere whether this signer signed the core with these serial numbers
   */
  FinishRule(Committee committee, BiPredicate<TxCore, List<SerialNumber>> signedHere) {
    this.committee = committee;
    this.signedHere = signedHere;
  }

  /** Whether a certificate has enough votes, if they are valid. No vote is verified. */
  boolean hasEnough(TransferRequest request) {
    return request.certificate().size() >= committee.weakQuorum();
  }

  /**
   * Verifies the votes of a certificate, which names each authority at most once: at most f+1 valid
   * ones and three wrong ones. The signer's table is asked when they do not suffice, but not for a
   * full certificate of which no vote is valid: that is junk, and not worth a look-up.
   *
   * @param now by which former keys count
   */
  boolean finishes(TxCore core, TransferRequest request, Instant now) {
    int right = hasEnough(request) ? validVotes(core, request, now) : 0;
    if (right == committee.weakQuorum()) {
      return true;
    }
    boolean junk = right == 0 && hasEnough(request);
    return !junk && signedHere.test(core, request.statement().serials());
  }

  private int validVotes(TxCore core, TransferRequest request, Instant now) {
    int right = 0;
    int wrong = 0;
    for (PartialSignature partial : request.certificate()) {
      verified.increment();
      if (partial.votesFor(core, committee, now)) {
        right++;
      } else {
        wrong++;
      }
      if (right == committee.weakQuorum() || wrong > MOST_WRONG) {
        break;
      }
    }
    return right;
  }

  /** The votes that were verified since the start. */
  long verified() {
    return verified.sum();
  }
}
