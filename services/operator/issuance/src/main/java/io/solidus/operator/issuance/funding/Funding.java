package io.solidus.operator.issuance.funding;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Money received at the bank.
 *
 * @param reserved the value of all requested mints that were not refused
 * @param holderTag the holder's person tag, or null
 * @param sealedReference the sender's account, sealed by the service, or null
 * @param tokenHash hash of the access token
 * @param recordedBy the operator's subject
 */
public record Funding(
    String fundingId,
    Amount amount,
    Amount reserved,
    @Nullable Digest32 holderTag,
    byte @Nullable [] sealedReference,
    Digest32 tokenHash,
    String recordedBy,
    Instant recordedAt) {

  public Amount remaining() {
    return amount.minus(reserved);
  }

  @Override
  public String toString() {
    return "Funding[" + fundingId + "]";
  }
}
