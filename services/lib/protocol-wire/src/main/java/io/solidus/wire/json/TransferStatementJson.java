package io.solidus.wire.json;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.Period;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferStatement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON of a {@link TransferStatement}: family 3 (regulated), 4 (unregulated), 7 (a claim of 16) or
 * 8 (to several payees), serials of 32 bytes, context 32 bytes.
 */
@Spec("F-16")
public record TransferStatementJson(
    @Member(min = 3, max = 8) @Nullable Integer family,
    @Member(bytes = 32, min = 2, max = Family.MAX_SERIALS) @Nullable List<String> serials,
    @Member(min = 2, max = Family.MAX_OUTPUTS) @Nullable List<BlindedCoinJson> outputs,
    @Member(min = 0) @Nullable Integer period,
    @Member(min = 0) @Nullable Long withdrawnMinor,
    @Member(bytes = 32) @Nullable String context) {

  public static TransferStatementJson of(TransferStatement value) {
    return new TransferStatementJson(
        value.family().code(),
        value.serials().stream().map(serial -> Base64Url.encode(serial.bytes())).toList(),
        value.outputs().stream().map(BlindedCoinJson::of).toList(),
        value.period().yyyymm(),
        value.withdrawn().minor(),
        Base64Url.encode(value.context().bytes()));
  }

  public TransferStatement toDomain() {
    return new TransferStatement(
        Family.of(Fields.required(family, "family")),
        Fields.all(
            serials, "serials", serial -> SerialNumber.of(Base64Url.decode(serial, "serials"))),
        Fields.all(outputs, "outputs", BlindedCoinJson::toDomain),
        new Period(Fields.required(period, "period")),
        new Amount(Fields.required(withdrawnMinor, "withdrawnMinor")),
        new Digest32(Base64Url.decode(context, "context")));
  }
}
