package io.solidus.wallet.gateway;

import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.TransferRequest;
import java.util.List;

/**
 * The gateway's answer to a look-up, not verified. What it says about states counts nothing without
 * the authorities' signatures.
 *
 * @param coins in the order of the question
 * @param signed what authorities signed, as the gateway passes it on
 */
public record CoinStateReply(List<Coin> coins, List<SignedStates> signed) {
  public CoinStateReply {
    coins = List.copyOf(coins);
    signed = List.copyOf(signed);
  }

  /**
   * One serial number.
   *
   * @param shown the requests that authorities stored for it, as the gateway says. A request proves
   *     itself to the wallet that made it; its absence proves nothing
   * @param recovers likewise the recovers with this lead
   */
  public record Coin(
      SerialNumber serial, List<TransferRequest> shown, List<RecoverRequest> recovers) {
    public Coin {
      shown = List.copyOf(shown);
      recovers = List.copyOf(recovers);
    }
  }
}
