package io.solidus.authority.complianceissuer.issuing;

import io.solidus.protocol.Answer;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.Suite;
import java.time.Instant;

/**
 * Checks the signer's partial signature before it is stored. A stored answer never changes, so a
 * wrong one would make this authority faulty for that person for ever.
 */
public final class PartialSignatureCheck {
  private final Suite suite;
  private final Committee committee;
  private final int authority;

  public PartialSignatureCheck(Suite suite, Committee committee, int authority) {
    this.suite = suite;
    this.committee = committee;
    this.authority = authority;
  }

  /** The share epoch of new answers. */
  int epoch() {
    return committee.epoch();
  }

  /**
   * Returns the answer when it verifies.
   *
   * @throws ProtocolException unavailable when the signer is of an epoch that is not known here
   *     yet; internal when it is not this authority's signature on this coin
   */
  Answer require(Answer answer, RegisterStatement statement, Instant now) {
    if (answer.present().shareEpoch() > committee.epoch()) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE,
          "the signer has shares of an epoch that is not known here yet");
    }
    for (PartialSignature partial : answer.partials()) {
      boolean valid =
          partial.authority() == authority
              && suite.checkPartial(
                  committee,
                  statement.core(suite.network()),
                  Outputs.of(suite.network(), statement),
                  partial,
                  now);
      if (!valid) {
        throw new ProtocolException(RejectionCode.INTERNAL, "the signer's answer does not verify");
      }
    }
    return answer;
  }
}
