package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.RecoverMemo;
import io.solidus.wallet.model.RecoverRecord;
import java.util.List;
import java.util.function.Function;

/**
 * A recover of this wallet with all that only its owner knows.
 *
 * @param outputs the returned coin, then the next compliance coin, blinded
 * @param messages of the coins of both outputs
 * @param randomness of its history entry
 */
public record OwnRecover(
    OwnCore own,
    RecoverRequest request,
    RecoverMemo memo,
    Coin returned,
    Outputs outputs,
    List<FieldElement> messages,
    FieldElement randomness) {
  public OwnRecover {
    messages = List.copyOf(messages);
  }

  public TxCore core() {
    return own.core();
  }

  /**
   * The record of this recover once it is finished.
   *
   * @param transfers number of transfers that were finished before it
   * @param coins of the file
   * @param serial of a coin
   */
  public RecoverRecord record(
      int transfers, List<OwnedCoin> coins, Function<FieldElement, SerialNumber> serial) {
    Amount lost =
        OwnedCoin.total(
            coins.stream()
                .filter(coin -> memo.claimed().contains(coin.rho()))
                .filter(coin -> !counts(serial.apply(coin.rho())))
                .toList());
    return new RecoverRecord(
        core(),
        own.lead(),
        memo,
        randomness,
        returned.rho(),
        List.copyOf(own.below()),
        transfers,
        lost);
  }

  /** The value of a returned coin of a recover below is in its budget. */
  private boolean counts(SerialNumber coin) {
    return own.credited().contains(coin) || own.returnedBelow().contains(coin);
  }

  /** The returned coin with its signature. */
  public OwnedCoin returned(Signature signature) {
    return new OwnedCoin(returned.origin(), returned.value(), returned.rho(), signature);
  }

  @Override
  public String toString() {
    return "OwnRecover[redacted]";
  }
}
