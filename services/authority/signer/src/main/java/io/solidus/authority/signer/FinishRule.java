package io.solidus.authority.signer;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.Suite;
import java.util.List;

/**
 * Decides whether a request proves that f+1 authorities, so at least one correct one, already
 * signed its core in time.
 *
 * <p>Partial signatures on the compliance coin alone would not prove that. They bind its (c_m, k)
 * and D, but not the recipient's coin, so f dishonest authorities and one honest one could carry
 * another payment of the same serial numbers past the window. All outputs together determine the
 * core except its period, and the period is inside the compliance coin.
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
    InputDigest d = request.statement().inputDigest(suite.network());
    int valid = 0;
    for (PartialSignature partial : request.certificate()) {
      if (isValid(partial, request.statement(), d) && ++valid == committee.weakQuorum()) {
        return true;
      }
    }
    return false;
  }

  private boolean isValid(PartialSignature partial, TransferStatement statement, InputDigest d) {
    List<BlindedCoin> outputs = statement.outputs();
    List<G1Point> points = partial.points();
    if (partial.authority() > committee.n()
        || partial.shareEpoch() != committee.epoch()
        || points.size() != outputs.size()) {
      return false;
    }
    for (int i = 0; i < outputs.size(); i++) {
      if (!suite.checkPartial(
          committee.member(partial.authority()), outputs.get(i), d, points.get(i))) {
        return false;
      }
    }
    return true;
  }
}
