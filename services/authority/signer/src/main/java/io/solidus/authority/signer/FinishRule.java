package io.solidus.authority.signer;

import io.solidus.protocol.Committee;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;

/**
 * Decides whether a request proves that f+1 authorities, so at least one correct one, already
 * signed its core in time.
 *
 * <p>Their votes prove it. Their points would not: anybody can move them to another core that
 * differs only in the blindings k. The share epoch does not matter.
 */
@Spec("V-11")
final class FinishRule {

  private final Committee committee;

  FinishRule(Committee committee) {
    this.committee = committee;
  }

  boolean finishes(TxCore core, TransferRequest request) {
    int enough = committee.weakQuorum();
    return committee.votesFor(core, request.certificate(), enough).size() == enough;
  }
}
