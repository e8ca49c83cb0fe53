package io.solidus.operator.issuance.funding;

import io.solidus.protocol.Amount;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Money received at the bank.
 *
 * @param reserved asked for by mints that were not refused
 * @param holderTag 32 bytes, or null
 * @param sealedReference the sender's account as the desk sealed it, or null
 * @param tokenHash of the access token
 * @param recordedBy the operator's subject
 */
public record Funding(
    String fundingId,
    Amount amount,
    Amount reserved,
    byte @Nullable [] holderTag,
    byte @Nullable [] sealedReference,
    byte[] tokenHash,
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
