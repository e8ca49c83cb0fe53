package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import java.util.List;

/**
 * The outputs of a recover.
 *
 * @param outflow what is burnt
 * @param budget what the account held, with the credited coins
 * @param outputs blinded: the returned coin, the next compliance coin
 */
public record PreparedRecover(
    Coin returned,
    ComplianceCoin next,
    Amount outflow,
    Amount budget,
    FieldElement returnedMessage,
    FieldElement nextMessage,
    List<BlindedCoin> outputs) {

  @Override
  public String toString() {
    return "PreparedRecover[redacted]";
  }
}
