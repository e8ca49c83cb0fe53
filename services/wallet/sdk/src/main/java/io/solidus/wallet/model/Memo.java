package io.solidus.wallet.model;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The memo that a wallet seals to itself in every transfer. With the seed phrase and the spent
 * compliance coin, the memo and the public statement restore the transfer, the successor coin, and
 * the coin or payout that still has to be delivered.
 *
 * @param counter counter of the derived randomness
 * @param atMillis time of the transfer for the history, in milliseconds since 1970
 * @param paid value of the recipient's coin; zero for a claim or a withdrawal
 * @param recipient the payee, or the wallet itself when nothing is paid
 * @param inputs received coins claimed: at most two, in a claim of 16 at most 16
 * @param unfinished number of the transfers before this one back to the oldest whose coin was not
 *     delivered or whose payout was not requested
 * @param reference text for the payee and the history, at most 140 bytes of UTF-8
 */
public record Memo(
    int counter,
    long atMillis,
    Amount paid,
    Address recipient,
    Amount withdrawn,
    List<SpentInput> inputs,
    int unfinished,
    String reference) {
  public static final int MAX_INPUTS = 16;
  public static final int MAX_REFERENCE_BYTES = 140;
  public static final int MAX_COUNTER = 0xffff;

  public Memo {
    inputs = List.copyOf(inputs);
    if (inputs.size() > MAX_INPUTS) {
      throw new IllegalArgumentException("a transfer claims at most 16 coins");
    }
    if (counter < 0 || counter > MAX_COUNTER || unfinished < 0) {
      throw new IllegalArgumentException("a memo's counters are not negative");
    }
    if (reference.getBytes(StandardCharsets.UTF_8).length > MAX_REFERENCE_BYTES) {
      throw new IllegalArgumentException(
          "a reference has at most " + MAX_REFERENCE_BYTES + " bytes");
    }
  }

  public Amount claimed() {
    return inputs.stream().map(SpentInput::value).reduce(Amount.ZERO, Amount::plus);
  }
}
