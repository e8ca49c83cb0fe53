package io.solidus.wallet.transfer;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.Memo;
import java.util.List;

/**
 * A transfer whose outputs are signed and stored.
 *
 * @param authorities indexes of those that signed, as reported by the gateway
 */
public record FinishedTransfer(
    TxCore core, SerialNumber lead, Memo memo, List<Integer> authorities) {
  public FinishedTransfer {
    authorities = List.copyOf(authorities);
  }
}
