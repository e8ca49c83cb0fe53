package io.solidus.operator.issuance.redemption;

import io.solidus.protocol.Amount;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.time.Instant;

/**
 * An accepted payout.
 *
 * @param sealedPayout the payout block, sealed by the wallet
 */
record Redemption(
    long sequence,
    SerialNumber lead,
    TxCore core,
    Amount amount,
    String endToEndId,
    byte[] sealedPayout,
    Instant acceptedAt) {

  @Override
  public String toString() {
    return "Redemption[" + endToEndId + "]";
  }
}
