package io.solidus.operator.registration.wallet;

import static io.solidus.wire.json.Fields.required;

import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import org.jspecify.annotations.Nullable;

/**
 * A wallet's register transaction. Bytes are base64url without padding.
 *
 * @param apk 32 bytes
 * @param cm 32 bytes
 * @param k 96 bytes
 * @param rk 64 bytes
 * @param proof 576 bytes
 * @param rkSignature 96 bytes
 */
public record RegistrationJson(
    @Member(bytes = 32) @Nullable String apk,
    @Member(bytes = 32) @Nullable String cm,
    @Member(bytes = 96) @Nullable String k,
    @Member @Nullable Integer circuitVersion,
    @Member(bytes = 64) @Nullable String rk,
    @Member(bytes = 576) @Nullable String proof,
    @Member(bytes = 96) @Nullable String rkSignature) {

  RegisterRequest toDomain() {
    BlindedCoin coin =
        new BlindedCoin(
            new FieldElement(Base64Url.decode(cm, "cm")), new G1Point(Base64Url.decode(k, "k")));
    return new RegisterRequest(
        new RegisterStatement(Apk.of(Base64Url.decode(apk, "apk")), coin),
        required(circuitVersion, "circuitVersion"),
        new KeyPoint(Base64Url.decode(rk, "rk")),
        Base64Url.decode(proof, "proof"),
        Base64Url.decode(rkSignature, "rkSignature"));
  }
}
