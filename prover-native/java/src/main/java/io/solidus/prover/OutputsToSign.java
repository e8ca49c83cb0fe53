package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.InputDigest;
import java.util.List;

/**
 * The outputs of one statement that a share is to sign.
 *
 * @param outputs the statement's blinded coins, at least one and at most {@value #MAX_OUTPUTS}
 * @param d of the same statement
 */
public record OutputsToSign(List<BlindedCoin> outputs, InputDigest d) {
  public static final int MAX_OUTPUTS = 8;

  public OutputsToSign {
    outputs = List.copyOf(outputs);
    if (outputs.isEmpty() || outputs.size() > MAX_OUTPUTS) {
      throw new IllegalArgumentException(
          "a signing request has 1 to " + MAX_OUTPUTS + " outputs, not " + outputs.size());
    }
  }
}
