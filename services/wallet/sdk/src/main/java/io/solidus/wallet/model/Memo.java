package io.solidus.wallet.model;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a wallet writes to itself with every transfer: with the seed phrase and the compliance coin
 * before it, this and the public statement give back the transfer, its successor coin and what is
 * left to deliver.
 *
 * @param counter which draw of the derived randomness was used
 * @param atMillis when it was made, for the history
 * @param paid value of the recipient's coin; zero for a claim or a withdrawal
 * @param recipient the payee, or the wallet itself when nothing is paid
 * @param inputs received coins claimed, at most two
 * @param unfinished how many transfers right before this one still had a coin to deliver or a
 *     payout to ask for
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
  public static final int MAX_INPUTS = 2;
  public static final int MAX_REFERENCE_BYTES = 140;
  public static final int MAX_COUNTER = 0xffff;

  public Memo {
    inputs = List.copyOf(inputs);
    if (inputs.size() > MAX_INPUTS) {
      throw new IllegalArgumentException("a transfer claims at most two coins");
    }
    if (counter < 0 || counter > MAX_COUNTER || unfinished < 0) {
      throw new IllegalArgumentException("a memo's counters are not negative");
    }
    if (reference.getBytes(StandardCharsets.UTF_8).length > MAX_REFERENCE_BYTES) {
      throw new IllegalArgumentException(
          "a reference has at most " + MAX_REFERENCE_BYTES + " bytes");
    }
  }

  public Memo withCounter(int other) {
    return new Memo(other, atMillis, paid, recipient, withdrawn, inputs, unfinished, reference);
  }

  public Amount claimed() {
    return inputs.stream().map(SpentInput::value).reduce(Amount.ZERO, Amount::plus);
  }
}
