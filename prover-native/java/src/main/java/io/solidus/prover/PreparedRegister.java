package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;

/** The first compliance coin of an address, its message and its blinded form. */
public record PreparedRegister(ComplianceCoin cc, FieldElement message, BlindedCoin coin) {

  @Override
  public String toString() {
    return "PreparedRegister[redacted]";
  }
}
