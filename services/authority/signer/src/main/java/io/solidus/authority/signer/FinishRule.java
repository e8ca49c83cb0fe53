package io.solidus.authority.signer;

import io.solidus.protocol.Committee;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.Suite;
import java.util.List;

/**
 * Decides whether a request proves that f+1 authorities, so at least one correct one, already
 * signed its core in time.
 *
 * <p>Partial signatures on the compliance coin alone would not prove that. They bind D, the period,
 * every c_m and the compliance coin's k, but not the k of the recipient's coin. All outputs
 * together determine the core.
 */
@Spec("V-11")
final class FinishRule {

  private final Suite suite;
  private final Committee committee;

  FinishRule(Suite suite, Committee committee) {
    this.suite = suite;
    this.committee = committee;
  }

  boolean finishes(TransferRequest request) {
    if (request.certificate().size() < committee.weakQuorum()) {
      return false;
    }
    Outputs outputs = Outputs.of(suite.network(), request.statement());
    int valid = 0;
    for (PartialSignature partial : request.certificate()) {
      if (isValid(partial, outputs) && ++valid == committee.weakQuorum()) {
        return true;
      }
    }
    return false;
  }

  private boolean isValid(PartialSignature partial, Outputs outputs) {
    List<G1Point> points = partial.points();
    if (partial.authority() > committee.n()
        || partial.shareEpoch() != committee.epoch()
        || points.size() != outputs.coins().size()) {
      return false;
    }
    for (int i = 0; i < outputs.coins().size(); i++) {
      if (!suite.checkPartial(committee.member(partial.authority()), outputs, i, points.get(i))) {
        return false;
      }
    }
    return true;
  }
}
