package io.solidus.edge.gateway.coins;

import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a serial number, by the answers of the authorities.
 *
 * @param status signed when f+1 authorities signed one core; otherwise reserved when f+1 hold the
 *     serial number for any core; otherwise unspent when 2f+1 report that; otherwise unknown
 * @param core the core that most of these authorities hold it for; null when unspent or unknown
 * @param unspent indexes of the authorities that report it as unspent, ascending
 * @param requests every stored transfer that an authority returned, at most one for each authority;
 *     the requests that most authorities returned come first. Only the coin's owner can tell by the
 *     memo whether a request is genuine
 * @param recovers every stored recover that an authority returned, at most five for each authority,
 *     in the same order
 */
public record CoinState(
    SerialNumber serial,
    Status status,
    @Nullable TxCore core,
    List<Integer> unspent,
    List<Shown<TransferRequest>> requests,
    List<Shown<RecoverRequest>> recovers) {
  public CoinState {
    unspent = List.copyOf(unspent);
    requests = List.copyOf(requests);
    recovers = List.copyOf(recovers);
  }

  public enum Status {
    UNSPENT,
    RESERVED,
    SIGNED,
    UNKNOWN
  }

  /**
   * A stored request and the authorities that returned it.
   *
   * @param core recomputed from the request
   * @param authorities indexes of those that returned exactly this request, ascending
   */
  public record Shown<R>(TxCore core, R request, List<Integer> authorities) {
    public Shown {
      authorities = List.copyOf(authorities);
    }
  }
}
