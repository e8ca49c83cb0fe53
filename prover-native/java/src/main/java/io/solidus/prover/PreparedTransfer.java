package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import java.util.List;

/**
 * The outputs of a regulated transfer.
 *
 * @param outputs blinded: the recipient's coin, the next compliance coin
 * @param entry what the history entry holds of the coins and the payee, which a recover opens
 */
public record PreparedTransfer(
    Coin recipientCoin,
    ComplianceCoin next,
    FieldElement recipientMessage,
    FieldElement nextMessage,
    List<BlindedCoin> outputs,
    Entry entry) {

  /**
   * The claimed coins and the payee, as an entry of the history has them.
   *
   * @param first value of the first coin; of a claim of 16 the sum of the first half
   * @param second value of the second coin, or the sum of the second half
   * @param origins of the two coins; none of a claim of 16, whose entry names no single one
   * @param counterparty the payee; of a claim of 16 the hash of all details (O-16)
   */
  public record Entry(
      Amount first, Amount second, List<Origin> origins, FieldElement counterparty) {
    public Entry {
      origins = List.copyOf(origins);
    }

    @Override
    public String toString() {
      return "Entry[redacted]";
    }
  }

  @Override
  public String toString() {
    return "PreparedTransfer[redacted]";
  }
}
