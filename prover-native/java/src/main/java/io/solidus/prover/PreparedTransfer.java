package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import java.util.List;

/**
 * The outputs of a regulated transfer. The order of the outputs is the first payment, the next
 * compliance coin, the other payments ({@link Family#outputOf}).
 *
 * @param coins of the payments, in the order of the payments
 * @param messages of the outputs, in the order of the outputs
 * @param outputs blinded, in their order
 * @param entry what the history entry holds of the coins and the payees, which a recover opens
 */
public record PreparedTransfer(
    List<Coin> coins,
    ComplianceCoin next,
    List<FieldElement> messages,
    List<BlindedCoin> outputs,
    Entry entry) {

  public PreparedTransfer {
    coins = List.copyOf(coins);
    messages = NativeRequest.exactly(coins.size() + 1, messages, "messages");
    outputs = NativeRequest.exactly(coins.size() + 1, outputs, "outputs");
  }

  /** The coin of the first payment, which is the only one but in a transfer to several payees. */
  public Coin recipientCoin() {
    return coins.getFirst();
  }

  public FieldElement recipientMessage() {
    return messages.get(Family.outputOf(0));
  }

  public FieldElement nextMessage() {
    return messages.get(Family.NEXT_OUTPUT);
  }

  /**
   * The claimed coins and the payees, as an entry of the history has them.
   *
   * @param first value of the first coin; of a claim of 16 the sum of the first half
   * @param second value of the second coin, or the sum of the second half
   * @param origins of the two coins; none of a claim of 16, whose entry names no single one
   * @param counterparty the payee; of a claim of 16 or of several payments the hash of all details
   *     (O-16)
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
