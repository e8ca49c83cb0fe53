package io.solidus.wire.json;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link BlindedCoin}: cm 32 bytes, k 96 bytes. */
public record BlindedCoinJson(
    @Member(bytes = 32) @Nullable String cm, @Member(bytes = 96) @Nullable String k) {

  public static BlindedCoinJson of(BlindedCoin value) {
    return new BlindedCoinJson(
        Base64Url.encode(value.cm().bytes()), Base64Url.encode(value.k().bytes()));
  }

  public BlindedCoin toDomain() {
    return new BlindedCoin(
        new FieldElement(Base64Url.decode(cm, "cm")), new G1Point(Base64Url.decode(k, "k")));
  }
}
