package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;

/**
 * A received or minted coin, for the history.
 *
 * @param atMillis time of the payment or of the mint, in milliseconds since 1970
 * @param reference the payer's text, to be shown as text; empty for a mint
 */
public record Receipt(
    Origin origin, Amount value, FieldElement rho, long atMillis, String reference) {
  /** The origin of a coin; its code is stored in the wallet's file. */
  public enum Origin {
    RECEIVED(1),
    MINTED(2);

    private final int code;

    Origin(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }

    public static Origin of(int code) {
      for (Origin origin : values()) {
        if (origin.code == code) {
          return origin;
        }
      }
      throw new IllegalArgumentException("unknown origin " + code);
    }
  }
}
