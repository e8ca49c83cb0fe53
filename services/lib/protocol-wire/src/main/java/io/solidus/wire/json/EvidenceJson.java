package io.solidus.wire.json;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON of {@link Evidence}: rk 64 bytes, proof 704 bytes (unregulated 672, a claim of 16 1152, to
 * several payees 928), rkSignature 96 bytes.
 */
@Spec("F-17")
public record EvidenceJson(
    @Member(min = 0) @Nullable Long policyVersion,
    @Member(min = 0) @Nullable Long checkpointVersion,
    @Member @Nullable Integer circuitVersion,
    @Member(bytes = 64) @Nullable String rk,
    @Member(min = 2, max = Family.MAX_SERIALS) @Nullable List<ShownSignatureJson> shows,
    @Member(bytes = {672, 704, 928, 1152}) @Nullable String proof,
    @Member(bytes = 96) @Nullable String rkSignature) {

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
        new KeyPoint(Base64Url.decode(rk, "rk")),
        Fields.all(shows, "shows", ShownSignatureJson::toDomain),
        Base64Url.decode(proof, "proof"),
        Base64Url.decode(rkSignature, "rkSignature"));
  }
}
