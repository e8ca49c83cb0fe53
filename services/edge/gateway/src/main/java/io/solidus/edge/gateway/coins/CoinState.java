package io.solidus.edge.gateway.coins;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the authorities say of a serial number.
 *
 * @param status signed when f+1 signed one core; reserved when f+1 hold it, whatever the core; else
 *     unspent when 2f+1 say so; else unknown
 * @param core the core it is signed or held for; null when unspent or unknown
 * @param unspent the authorities that say so, in order
 * @param requests every stored request that an authority showed, those with most authorities behind
 *     them first, at most one for each authority; whether one is really its owner's only the owner
 *     sees, by the memo
 */
public record CoinState(
    SerialNumber serial,
    Status status,
    @Nullable TxCore core,
    List<Integer> unspent,
    List<Shown> requests) {
  public CoinState {
    unspent = List.copyOf(unspent);
    requests = List.copyOf(requests);
  }

  /** Of a serial number. */
  public enum Status {
    UNSPENT,
    RESERVED,
    SIGNED,
    UNKNOWN
  }

  /**
   * A stored request.
   *
   * @param core recomputed from it
   * @param authorities that showed exactly this one, in order
   */
  public record Shown(TxCore core, TransferRequest request, List<Integer> authorities) {
    public Shown {
      authorities = List.copyOf(authorities);
    }
  }
}
