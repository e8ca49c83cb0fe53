package io.solidus.gateway.coins;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import org.jspecify.annotations.Nullable;

/**
 * What the authorities say of a serial number.
 *
 * @param status signed when f+1 signed one core; reserved when f+1 hold it for some core, or when one does and shows the request: a transfer
 *     that reached a single authority is to be finished too, and whether the request is really hers a wallet sees by the memo; else
 *     unspent when 2f+1 say so, whatever a faulty one claims without a request; else unknown
 * @param core the core it is signed or held for
 * @param request the stored request of that core, whose core was recomputed
 */
public record CoinState(
    SerialNumber serial, Status status, @Nullable TxCore core, @Nullable TransferRequest request) {
  /** Of a serial number. */
  public enum Status {
    UNSPENT,
    RESERVED,
    SIGNED,
    UNKNOWN
  }
}
