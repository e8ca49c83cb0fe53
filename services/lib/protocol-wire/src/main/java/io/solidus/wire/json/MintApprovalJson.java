package io.solidus.wire.json;

import io.solidus.protocol.MintApproval;
import org.jspecify.annotations.Nullable;

/** JSON of a {@link MintApproval}: signature 64 bytes. */
public record MintApprovalJson(
    @Member(min = 1, max = 64) @Nullable String approver,
    @Member(bytes = 64) @Nullable String signature) {

  public static MintApprovalJson of(MintApproval value) {
    return new MintApprovalJson(value.approver(), Base64Url.encode(value.signature()));
  }

  public MintApproval toDomain() {
    return new MintApproval(
        Fields.required(approver, "approver"), Base64Url.decode(signature, "signature"));
  }
}
