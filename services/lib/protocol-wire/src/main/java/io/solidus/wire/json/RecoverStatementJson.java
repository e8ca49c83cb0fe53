package io.solidus.wire.json;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON of a {@link RecoverStatement}: two serial numbers in next and two in returned, 32 bytes
 * each; context 32 bytes.
 */
@Spec("F-33")
public record RecoverStatementJson(
    @Nullable Integer first,
    @Nullable Integer second,
    @Nullable List<String> next,
    @Nullable List<String> returned,
    @Nullable Integer credits,
    @Nullable List<BlindedCoinJson> outputs,
    @Nullable String context) {

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
