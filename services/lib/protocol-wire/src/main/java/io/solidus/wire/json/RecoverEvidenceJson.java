package io.solidus.wire.json;

import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.RecoverEvidence;
import org.jspecify.annotations.Nullable;

/** JSON of {@link RecoverEvidence}: rk 64 bytes, proof 608 bytes, rkSignature 96 bytes. */
public record RecoverEvidenceJson(
    @Member @Nullable Integer circuitVersion,
    @Member(bytes = 64) @Nullable String rk,
    @Member(bytes = 608) @Nullable String proof,
    @Member(bytes = 96) @Nullable String rkSignature) {

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
