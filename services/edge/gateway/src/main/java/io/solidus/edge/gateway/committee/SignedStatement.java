package io.solidus.edge.gateway.committee;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * The part of a request that authorities sign. Partial signatures are verified against it.
 *
 * @param outputs a partial signature has one point for each
 */
public record SignedStatement(TxCore core, InputDigest digest, List<BlindedCoin> outputs) {
  public SignedStatement {
    outputs = List.copyOf(outputs);
  }
}
