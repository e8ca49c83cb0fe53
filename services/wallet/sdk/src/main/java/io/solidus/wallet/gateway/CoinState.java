package io.solidus.wallet.gateway;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import java.util.List;
import java.util.Optional;

/**
 * What the authorities said of a serial number, by the gateway's word. A stored request proves
 * itself to the wallet that made it; its absence proves nothing. Not judged yet: up to f of the
 * authorities may lie.
 *
 * @param unspent numbers of the authorities that say so
 * @param shown what authorities stored for it
 */
public record CoinState(SerialNumber serial, List<Integer> unspent, List<Shown> shown) {
  public CoinState {
    unspent = List.copyOf(unspent);
    shown = List.copyOf(shown);
  }

  /**
   * A request and who showed exactly this one.
   *
   * @param request empty when it could not be read
   */
  public record Shown(List<Integer> authorities, Optional<TransferRequest> request) {
    public Shown {
      authorities = List.copyOf(authorities);
    }
  }
}
