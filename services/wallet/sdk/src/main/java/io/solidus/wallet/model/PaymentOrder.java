package io.solidus.wallet.model;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import java.nio.charset.StandardCharsets;

/**
 * A payment to one payee.
 *
 * @param reference text for the payee and the history, at most 140 bytes of UTF-8
 */
public record PaymentOrder(Address to, Amount amount, String reference) {
  public PaymentOrder {
    if (reference.getBytes(StandardCharsets.UTF_8).length > Memo.MAX_REFERENCE_BYTES) {
      throw new IllegalArgumentException(
          "a reference has at most " + Memo.MAX_REFERENCE_BYTES + " bytes");
    }
  }

  @Override
  public String toString() {
    return "PaymentOrder[redacted]";
  }
}
