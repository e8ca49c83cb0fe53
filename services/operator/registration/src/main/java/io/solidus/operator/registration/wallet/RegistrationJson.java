package io.solidus.operator.registration.wallet;

import static io.solidus.wire.json.Fields.required;

import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.wire.json.Base64Url;
import org.jspecify.annotations.Nullable;

/**
 * A wallet's register transaction. Bytes are base64url without padding.
 *
 * @param apk 48 bytes
 * @param cm 48 bytes
 * @param k 96 bytes
 * @param rk 96 bytes
 * @param proof 772 bytes
 * @param rkSignature 128 bytes
 */
public record RegistrationJson(
    @Nullable String apk,
    @Nullable String cm,
    @Nullable String k,
    @Nullable Integer circuitVersion,
    @Nullable String rk,
    @Nullable String proof,
    @Nullable String rkSignature) {

  RegisterRequest toDomain() {
    BlindedCoin coin =
        new BlindedCoin(
            new FieldElement(Base64Url.decode(cm, "cm")), new G1Point(Base64Url.decode(k, "k")));
    return new RegisterRequest(
        new RegisterStatement(Apk.of(Base64Url.decode(apk, "apk")), coin),
        required(circuitVersion, "circuitVersion"),
        new G1Point(Base64Url.decode(rk, "rk")),
        Base64Url.decode(proof, "proof"),
        Base64Url.decode(rkSignature, "rkSignature"));
  }
}
