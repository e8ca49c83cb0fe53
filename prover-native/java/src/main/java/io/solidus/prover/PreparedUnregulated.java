package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import java.util.List;

/**
 * The outputs of an unregulated transfer.
 *
 * @param outputs blinded: the recipient's coin, the change
 */
public record PreparedUnregulated(
    Coin recipientCoin,
    Coin changeCoin,
    FieldElement recipientMessage,
    FieldElement changeMessage,
    List<BlindedCoin> outputs) {

  @Override
  public String toString() {
    return "PreparedUnregulated[redacted]";
  }
}
