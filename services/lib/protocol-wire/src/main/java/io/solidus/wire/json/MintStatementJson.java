package io.solidus.wire.json;

import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintStatement;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link MintStatement}: mintId 32 bytes. */
public record MintStatementJson(
    @Member(bytes = 32) @Nullable String mintId,
    @Member(min = 0) @Nullable Long valueMinor,
    @Member @Nullable BlindedCoinJson coin) {

  public static MintStatementJson of(MintStatement value) {
    return new MintStatementJson(
        Base64Url.encode(value.mintId().bytes()),
        value.value().minor(),
        BlindedCoinJson.of(value.coin()));
  }

  public MintStatement toDomain() {
    return new MintStatement(
        MintId.of(Base64Url.decode(mintId, "mintId")),
        new Amount(Fields.required(valueMinor, "valueMinor")),
        Fields.required(coin, "coin").toDomain());
  }
}
