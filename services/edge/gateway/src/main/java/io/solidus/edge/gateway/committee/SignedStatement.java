package io.solidus.edge.gateway.committee;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * What a partial signature is checked against.
 *
 * @param outputs one point of a partial signature belongs to each
 */
public record SignedStatement(TxCore core, InputDigest digest, List<BlindedCoin> outputs) {
  public SignedStatement {
    outputs = List.copyOf(outputs);
  }
}
