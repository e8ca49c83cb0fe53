package io.solidus.wire.json;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.SerialNumber;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON of a {@link RecoverStatement}: two serial numbers in next and two in returned, 32 bytes
 * each; context 32 bytes.
 */
public record RecoverStatementJson(
    @Member(min = 0) @Nullable Integer first,
    @Member(min = 0) @Nullable Integer second,
    @Member(bytes = 32, min = 2, max = 2) @Nullable List<String> next,
    @Member(bytes = 32, min = 2, max = 2) @Nullable List<String> returned,
    @Member(min = 0, max = 15) @Nullable Integer credits,
    @Member(min = 2, max = 2) @Nullable List<BlindedCoinJson> outputs,
    @Member(bytes = 32) @Nullable String context) {

  public static RecoverStatementJson of(RecoverStatement value) {
    return new RecoverStatementJson(
        value.first(),
        value.second(),
        value.next().stream().map(serial -> Base64Url.encode(serial.bytes())).toList(),
        value.returned().stream().map(serial -> Base64Url.encode(serial.bytes())).toList(),
        value.credits(),
        value.outputs().stream().map(BlindedCoinJson::of).toList(),
        Base64Url.encode(value.context().bytes()));
  }

  public RecoverStatement toDomain() {
    return new RecoverStatement(
        Fields.required(first, "first"),
        Fields.required(second, "second"),
        Fields.all(next, "next", serial -> SerialNumber.of(Base64Url.decode(serial, "next"))),
        Fields.all(
            returned, "returned", serial -> new FieldElement(Base64Url.decode(serial, "returned"))),
        Fields.required(credits, "credits"),
        Fields.all(outputs, "outputs", BlindedCoinJson::toDomain),
        new Digest32(Base64Url.decode(context, "context")));
  }
}
