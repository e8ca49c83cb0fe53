package io.solidus.operator.issuance.redemption;

import io.solidus.protocol.Amount;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An accepted payout.
 *
 * @param sealedPayout the payout block, sealed by the wallet
 * @param attempt counts from 1 how often the money was to be sent
 * @param reason why it failed or came back, or null
 * @param batchId the batch that the present attempt is in, or null
 * @param hold why no batch takes it
 * @param correction the sealed payee that two persons put in the place of the instruction's, or
 *     null
 * @param bank that holds the payee's account; null: none of the platform's
 */
record Redemption(
    long sequence,
    SerialNumber lead,
    TxCore core,
    Amount amount,
    String endToEndId,
    byte[] sealedPayout,
    Instant acceptedAt,
    PayoutState state,
    int attempt,
    @Nullable String reason,
    Instant changedAt,
    @Nullable String batchId,
    PayoutHold hold,
    byte @Nullable [] correction,
    @Nullable String bank) {

  @Override
  public String toString() {
    return "Redemption[" + endToEndId + "]";
  }
}
