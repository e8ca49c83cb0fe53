package io.solidus.authority.complianceissuer.issuing;

import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.Suite;

/**
 * Checks what the signer gives before it is kept: an answer stands for ever, so a wrong one would
 * make this authority faulty for that person for ever.
 */
public final class PartialCheck {
  private static final int POINTS = 1;

  private final Suite suite;
  private final Committee committee;
  private final CommitteeMember self;

  public PartialCheck(Suite suite, Committee committee, int authority) {
    this.suite = suite;
    this.committee = committee;
    this.self = committee.member(authority);
  }

  /** The share epoch that answers are given in. */
  int epoch() {
    return committee.epoch();
  }

  /**
   * @throws ProtocolException internal when the signature is not this authority's on this coin
   */
  PartialSignature require(PartialSignature partial, RegisterStatement statement) {
    boolean good =
        partial.authority() == self.index()
            && partial.shareEpoch() == committee.epoch()
            && partial.points().size() == POINTS
            && suite.checkPartial(
                self,
                statement.coin(),
                statement.inputDigest(suite.network()),
                partial.points().getFirst());
    if (!good) {
      throw new ProtocolException(RejectionCode.INTERNAL, "the signer's answer does not verify");
    }
    return partial;
  }
}
