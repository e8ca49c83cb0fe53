package io.solidus.operator.issuance.funding;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Money received at the bank.
 *
 * @param sequence the number in lists
 * @param reserved the value of all requested mints that were not refused
 * @param holderTag the holder's person tag, or null
 * @param sealedReference the sender's account, sealed by the service, or null
 * @param tokenHash hash of the access token
 * @param recordedBy the operator's subject
 * @param reversed whether it was taken back; then nothing more is issued against it
 * @param bank whose customer paid; for ever
 */
public record Funding(
    long sequence,
    String fundingId,
    Amount amount,
    Amount reserved,
    @Nullable Digest32 holderTag,
    byte @Nullable [] sealedReference,
    Digest32 tokenHash,
    String recordedBy,
    Instant recordedAt,
    boolean reversed,
    String bank) {

  /** What further mints may reserve. */
  public Amount remaining() {
    return reversed ? Amount.ZERO : amount.minus(reserved);
  }

  FundingStatus status() {
    return reversed
        ? FundingStatus.REVERSED
        : remaining().isZero() ? FundingStatus.USED : FundingStatus.OPEN;
  }

  @Override
  public String toString() {
    return "Funding[" + fundingId + "]";
  }
}
