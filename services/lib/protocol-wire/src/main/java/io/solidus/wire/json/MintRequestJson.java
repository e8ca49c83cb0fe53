package io.solidus.wire.json;

import io.solidus.protocol.MintRequest;
import io.solidus.protocol.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link MintRequest}: proof 576 bytes, two approvals. */
@Spec("F-20")
public record MintRequestJson(
    @Member @Nullable MintStatementJson statement,
    @Member @Nullable Integer circuitVersion,
    @Member(bytes = 576) @Nullable String proof,
    @Member(max = 8) @Nullable List<MintApprovalJson> approvals) {

  public static MintRequestJson of(MintRequest value) {
    return new MintRequestJson(
        MintStatementJson.of(value.statement()),
        value.circuitVersion(),
        Base64Url.encode(value.proof()),
        value.approvals().stream().map(MintApprovalJson::of).toList());
  }

  public MintRequest toDomain() {
    return new MintRequest(
        Fields.required(statement, "statement").toDomain(),
        Fields.required(circuitVersion, "circuitVersion"),
        Base64Url.decode(proof, "proof"),
        Fields.all(approvals, "approvals", MintApprovalJson::toDomain));
  }
}
