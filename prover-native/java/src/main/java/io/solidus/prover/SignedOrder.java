package io.solidus.prover;

import io.solidus.protocol.G1Point;
import java.util.List;

/**
 * What became of one {@link SigningOrder}.
 *
 * @param code OK, or the code that signing its first unusable output alone would fail with
 * @param signatures of the outputs in their order when the code is OK, else none
 */
public record SignedOrder(NativeErrorCode code, List<G1Point> signatures) {
  public SignedOrder {
    signatures = List.copyOf(signatures);
  }

  public boolean ok() {
    return code == NativeErrorCode.OK;
  }

  /**
   * @throws NativeException with the code of a refused order
   */
  public List<G1Point> orThrow() {
    if (!ok()) {
      throw new NativeException(code, "the order is refused");
    }
    return signatures;
  }
}
