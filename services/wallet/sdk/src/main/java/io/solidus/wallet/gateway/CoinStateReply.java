package io.solidus.wallet.gateway;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import java.util.List;
import java.util.Optional;

/**
 * The gateway's report of the authorities' answers for a serial number, not yet evaluated: up to f
 * of the authorities may lie. A stored request proves itself to the wallet that made it. Its
 * absence proves nothing.
 *
 * @param unspent indexes of the authorities that report it as unspent
 * @param shown requests that authorities stored for it
 */
public record CoinStateReply(SerialNumber serial, List<Integer> unspent, List<Shown> shown,
    List<io.solidus.protocol.RecoverRequest> recovers,
    java.util.Map<Integer, io.solidus.protocol.TxCore> holders) {
  public CoinStateReply(SerialNumber serial, List<Integer> unspent, List<Shown> shown) {
    this(serial, unspent, shown, List.of(), java.util.Map.of());
  }

  public CoinStateReply {
    unspent = List.copyOf(unspent);
    shown = List.copyOf(shown);
  }

  /**
   * A stored request and the authorities that returned exactly this one.
   *
   * @param request empty when it cannot be read
   */
  public record Shown(List<Integer> authorities, Optional<TransferRequest> request) {
    public Shown {
      authorities = List.copyOf(authorities);
    }
  }
}
