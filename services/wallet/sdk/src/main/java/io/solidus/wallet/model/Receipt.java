package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;

/** A coin that came in, for the history. */
public record Receipt(
    Origin origin, Amount value, FieldElement rho, long atMillis, String reference) {
  /** Where a coin came from; the code is what travels. */
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
