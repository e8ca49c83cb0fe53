package io.solidus.wire.json;

import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.Spec;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link RegisterRequest}: rk 64 bytes, proof 576 bytes, rkSignature 96 bytes. */
@Spec("F-19")
public record RegisterRequestJson(
    @Member @Nullable RegisterStatementJson statement,
    @Member @Nullable Integer circuitVersion,
    @Member(bytes = 64) @Nullable String rk,
    @Member(bytes = 576) @Nullable String proof,
    @Member(bytes = 96) @Nullable String rkSignature) {

  public static RegisterRequestJson of(RegisterRequest value) {
    return new RegisterRequestJson(
        RegisterStatementJson.of(value.statement()),
        value.circuitVersion(),
        Base64Url.encode(value.rk().bytes()),
        Base64Url.encode(value.proof()),
        Base64Url.encode(value.rkSignature()));
  }

  public RegisterRequest toDomain() {
    return new RegisterRequest(
        Fields.required(statement, "statement").toDomain(),
        Fields.required(circuitVersion, "circuitVersion"),
        new KeyPoint(Base64Url.decode(rk, "rk")),
        Base64Url.decode(proof, "proof"),
        Base64Url.decode(rkSignature, "rkSignature"));
  }
}
