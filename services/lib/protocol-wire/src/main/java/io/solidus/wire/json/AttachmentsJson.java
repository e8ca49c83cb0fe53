package io.solidus.wire.json;

import io.solidus.protocol.Attachments;
import org.jspecify.annotations.Nullable;

/**
 * JSON of {@link Attachments}: payoutBlock 512 bytes, memoBlock 1024 bytes, of a transfer to
 * several payees 2560 bytes.
 */
public record AttachmentsJson(
    @Member(bytes = 512) @Nullable String payoutBlock,
    @Member(bytes = {1024, 2560}) @Nullable String memoBlock) {

  public static AttachmentsJson of(Attachments value) {
    return new AttachmentsJson(
        Base64Url.encode(value.payoutBlock()), Base64Url.encode(value.memoBlock()));
  }

  public Attachments toDomain() {
    return new Attachments(
        Base64Url.decode(payoutBlock, "payoutBlock"), Base64Url.decode(memoBlock, "memoBlock"));
  }
}
