package io.solidus.wallet;

import io.solidus.protocol.Amount;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.transfer.FinishedTransfer;
import java.util.List;

/**
 * The result of a finished transfer.
 *
 * @param core identifies the transfer
 * @param lead the serial number of the spent compliance coin; in an unregulated network that of the
 *     first coin
 * @param paid amount of the payee's coin; zero for a claim or a withdrawal
 * @param withdrawn amount of the payout; zero without one
 * @param claimed value of the received coins that the transfer claimed; in an unregulated network
 *     of the coins that it spent
 * @param claimedCoins number of these coins
 * @param claimsBefore cores of the claims that were necessary before the transfer; in an
 *     unregulated network of the transfers that merged coins
 * @param delivered whether no coin waits for its delivery to the mailbox; otherwise the next
 *     command tries again
 * @param redeemed whether no payout waits to be requested from the issuer; otherwise the next
 *     command tries again
 * @param authorities indexes of the authorities whose partial signatures arrived
 */
public record Payment(
    TxCore core,
    SerialNumber lead,
    Amount paid,
    Amount withdrawn,
    Amount claimed,
    int claimedCoins,
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
        last.memo().inputs().size(),
        transfers.subList(0, transfers.size() - 1).stream().map(FinishedTransfer::core).toList(),
        delivered,
        redeemed,
        last.authorities());
  }
}
