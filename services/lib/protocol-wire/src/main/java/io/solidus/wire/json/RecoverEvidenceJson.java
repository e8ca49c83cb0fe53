package io.solidus.wire.json;

import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.Spec;
import org.jspecify.annotations.Nullable;

/** JSON of {@link RecoverEvidence}: rk 64 bytes, proof 608 bytes, rkSignature 96 bytes. */
@Spec("F-33")
public record RecoverEvidenceJson(
    @Nullable Integer circuitVersion,
    @Nullable String rk,
    @Nullable String proof,
    @Nullable String rkSignature) {

  public static RecoverEvidenceJson of(RecoverEvidence value) {
    return new RecoverEvidenceJson(
        value.circuitVersion(),
        Base64Url.encode(value.rk().bytes()),
        Base64Url.encode(value.proof()),
        Base64Url.encode(value.rkSignature()));
  }

  public RecoverEvidence toDomain() {
    return new RecoverEvidence(
        Fields.required(circuitVersion, "circuitVersion"),
        new KeyPoint(Base64Url.decode(rk, "rk")),
        Base64Url.decode(proof, "proof"),
        Base64Url.decode(rkSignature, "rkSignature"));
  }
}
