package io.solidus.prover;

import io.solidus.protocol.G1Point;
import java.util.List;

/**
 * The result of a request to sign the outputs of one statement.
 *
 * @param code OK, or the code of the first unusable output
 * @param signatures of the outputs in their order when the code is OK, else none
 */
public record SignedOutputs(NativeErrorCode code, List<G1Point> signatures) {
  public SignedOutputs {
    signatures = List.copyOf(signatures);
  }

  public boolean ok() {
    return code == NativeErrorCode.OK;
  }

  /**
   * Returns the signatures.
   *
   * @throws NativeException with the code of a refused request
   */
  public List<G1Point> orThrow() {
    if (!ok()) {
      throw new NativeException(code, "the signing request is refused");
    }
    return signatures;
  }
}
