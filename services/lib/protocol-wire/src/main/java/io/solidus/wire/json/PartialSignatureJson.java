package io.solidus.wire.json;

import io.solidus.protocol.Family;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.Vote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link PartialSignature}: points of 96 bytes, one per output; a vote of 64 bytes. */
@Spec("F-21")
public record PartialSignatureJson(
    @Member(min = 1, max = 100) @Nullable Integer authority,
    @Member(min = 0) @Nullable Integer shareEpoch,
    @Member(bytes = 96, min = 1, max = Family.MAX_OUTPUTS) @Nullable List<String> points,
    @Member(bytes = 64) @Nullable String vote) {

  public static PartialSignatureJson of(PartialSignature value) {
    return new PartialSignatureJson(
        value.authority(),
        value.shareEpoch(),
        value.points().stream().map(point -> Base64Url.encode(point.bytes())).toList(),
        Base64Url.encode(value.vote().bytes()));
  }

  public PartialSignature toDomain() {
    return new PartialSignature(
        Fields.required(authority, "authority"),
        Fields.required(shareEpoch, "shareEpoch"),
        Fields.all(points, "points", point -> new G1Point(Base64Url.decode(point, "points"))),
        new Vote(Base64Url.decode(vote, "vote")));
  }
}
