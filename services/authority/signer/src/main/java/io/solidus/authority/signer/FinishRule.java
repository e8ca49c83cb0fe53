package io.solidus.authority.signer;

import io.solidus.protocol.Committee;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.time.Instant;
import java.util.List;
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

  private final Committee committee;
  private final BiPredicate<TxCore, List<SerialNumber>> signedHere;

  /**
   * Makes the rule.
   *
   * @param signedHere whether this signer signed the core with these serial numbers
   */
  FinishRule(Committee committee, BiPredicate<TxCore, List<SerialNumber>> signedHere) {
    this.committee = committee;
    this.signedHere = signedHere;
  }

  boolean finishes(TxCore core, TransferRequest request, Instant now) {
    int enough = committee.weakQuorum();
    int votes = committee.votesFor(core, request.certificate(), enough, now).size();
    // a full certificate without any vote is junk, and not worth a look-up
    boolean junk = votes == 0 && request.certificate().size() >= enough;
    return votes == enough || (!junk && signedHere.test(core, request.statement().serials()));
  }
}
