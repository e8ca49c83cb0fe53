package io.solidus.wallet;

import io.solidus.protocol.Amount;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.transfer.FinishedTransfer;
import java.util.List;

/**
 * A finished transfer, as its owner sees it.
 *
 * @param claimed value of the received coins it took in
 * @param claimsBefore pure claims that had to come first
 * @param delivered whether the payee's coin has reached the mailbox; otherwise the next command
 *     tries again
 * @param redeemed whether the issuer has been asked for the payout; otherwise the next command
 *     tries again
 * @param authorities whose partial signatures came back
 */
public record Payment(
    TxCore core,
    SerialNumber lead,
    Amount paid,
    Amount withdrawn,
    Amount claimed,
    List<TxCore> claimsBefore,
    boolean delivered,
    boolean redeemed,
    List<Integer> authorities) {
  static Payment of(List<FinishedTransfer> transfers, boolean delivered, boolean redeemed) {
    FinishedTransfer last = transfers.getLast();
    return new Payment(
        last.core(),
        last.lead(),
        last.memo().paid(),
        last.memo().withdrawn(),
        last.memo().claimed(),
        transfers.subList(0, transfers.size() - 1).stream().map(FinishedTransfer::core).toList(),
        delivered,
        redeemed,
        last.authorities());
  }
}
