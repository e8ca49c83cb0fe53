package io.solidus.wire.json;

import io.solidus.protocol.G1Point;
import io.solidus.protocol.ShownSignature;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link ShownSignature}: three points of 96 bytes. */
public record ShownSignatureJson(
    @Member(bytes = 96) @Nullable String h,
    @Member(bytes = 96) @Nullable String m,
    @Member(bytes = 96) @Nullable String s) {

  public static ShownSignatureJson of(ShownSignature value) {
    return new ShownSignatureJson(
        Base64Url.encode(value.h().bytes()),
        Base64Url.encode(value.m().bytes()),
        Base64Url.encode(value.s().bytes()));
  }

  public ShownSignature toDomain() {
    return new ShownSignature(
        new G1Point(Base64Url.decode(h, "h")),
        new G1Point(Base64Url.decode(m, "m")),
        new G1Point(Base64Url.decode(s, "s")));
  }
}
