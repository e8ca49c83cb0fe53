package io.solidus.wire.json;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.G1Point;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON of {@link Evidence}: rk 96 bytes, proof 772 bytes, rkSignature 128 bytes. */
public record EvidenceJson(
    @Nullable Long policyVersion,
    @Nullable Long checkpointVersion,
    @Nullable Integer circuitVersion,
    @Nullable String rk,
    @Nullable List<ShownSignatureJson> shows,
    @Nullable String proof,
    @Nullable String rkSignature) {

  public static EvidenceJson of(Evidence value) {
    return new EvidenceJson(
        value.policyVersion(),
        value.checkpointVersion(),
        value.circuitVersion(),
        Base64Url.encode(value.rk().bytes()),
        value.shows().stream().map(ShownSignatureJson::of).toList(),
        Base64Url.encode(value.proof()),
        Base64Url.encode(value.rkSignature()));
  }

  public Evidence toDomain() {
    return new Evidence(
        Fields.required(policyVersion, "policyVersion"),
        Fields.required(checkpointVersion, "checkpointVersion"),
        Fields.required(circuitVersion, "circuitVersion"),
        new G1Point(Base64Url.decode(rk, "rk")),
        Fields.all(shows, "shows", ShownSignatureJson::toDomain),
        Base64Url.decode(proof, "proof"),
        Base64Url.decode(rkSignature, "rkSignature"));
  }
}
