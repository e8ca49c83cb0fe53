package io.solidus.wire.json;

import io.solidus.protocol.G1Point;
import io.solidus.protocol.RegisterRequest;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link RegisterRequest}: rk 96 bytes, proof 772 bytes, rkSignature 128 bytes. */
public record RegisterRequestJson(
    @Nullable RegisterStatementJson statement,
    @Nullable Integer circuitVersion,
    @Nullable String rk,
    @Nullable String proof,
    @Nullable String rkSignature) {

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
        new G1Point(Base64Url.decode(rk, "rk")),
        Base64Url.decode(proof, "proof"),
        Base64Url.decode(rkSignature, "rkSignature"));
  }
}
