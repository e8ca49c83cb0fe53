package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * A finished recover.
 *
 * @param randomness of its history entry
 * @param returnedRho rho of the returned coin
 * @param below the cores that it burnt: at most one branch of them was paid
 * @param transfers number of transfers that were finished before it
 * @param lost value of the coins that were claimed below it and that it did not credit
 */
public record RecoverRecord(
    TxCore core,
    SerialNumber lead,
    RecoverMemo memo,
    FieldElement randomness,
    FieldElement returnedRho,
    List<TxCore> below,
    int transfers,
    Amount lost) {
  public RecoverRecord {
    below = List.copyOf(below);
  }
}
