package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import java.util.List;

/**
 * The outputs of a regulated transfer.
 *
 * @param outputs blinded: the recipient's coin, the next compliance coin
 */
public record PreparedTransfer(
    Coin recipientCoin,
    ComplianceCoin next,
    FieldElement recipientMessage,
    FieldElement nextMessage,
    List<BlindedCoin> outputs) {

  @Override
  public String toString() {
    return "PreparedTransfer[redacted]";
  }
}
