package io.solidus.wallet.gateway;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import java.util.Optional;

/**
 * What the validators know of a serial number, by the gateway's word. A stored request proves itself to the wallet that made it; its
 * absence proves nothing.
 */
public record CoinState(SerialNumber serial, String status, Optional<TransferRequest> request) {
  /** 2f+1 authorities say that it is unspent, and none showed a request. */
  public boolean unspent() {
    return status.equals("unspent") && request.isEmpty();
  }
}
