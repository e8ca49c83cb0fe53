package io.solidus.wire.json;

import io.solidus.protocol.Apk;
import io.solidus.protocol.RegisterStatement;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link RegisterStatement}: apk 32 bytes. */
public record RegisterStatementJson(
    @Member(bytes = 32) @Nullable String apk, @Member @Nullable BlindedCoinJson coin) {

  public static RegisterStatementJson of(RegisterStatement value) {
    return new RegisterStatementJson(
        Base64Url.encode(value.apk().bytes()), BlindedCoinJson.of(value.coin()));
  }

  public RegisterStatement toDomain() {
    return new RegisterStatement(
        Apk.of(Base64Url.decode(apk, "apk")), Fields.required(coin, "coin").toDomain());
  }
}
