package io.solidus.wallet;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Period;
import io.solidus.wallet.model.RegistrationStatus;

/**
 * The state of a wallet, read from its file alone.
 *
 * @param registration {@code NONE} for ever in an unregulated network, as are {@code period},
 *     {@code sent}, {@code count} and both versions zero
 * @param restoring whether a restore has begun and not ended; the balance is not complete then
 * @param period of the compliance coin; 0 before the registration
 * @param sent total amount paid in {@code period}
 * @param count number of transfers in {@code period}
 * @param transferInFlight whether a transfer was stored for sending and is not finished
 * @param pendingMints mints that were requested and are not collected
 * @param pendingDeliveries sealed coins and backup copies that have not reached the mailbox
 * @param pendingRedemptions finished withdrawals whose payout has not been requested
 * @param policyVersion version of the newest policy seen; 0 before the first
 * @param checkpointVersion version of the newest sanction checkpoint seen; 0 before the first
 * @param tokens blind tokens that the wallet has, also those that do not count yet or any more
 */
public record WalletStatus(
    RegistrationStatus.Stage registration,
    boolean restoring,
    Balance balance,
    Period period,
    Amount sent,
    int count,
    boolean transferInFlight,
    int pendingMints,
    int pendingDeliveries,
    int pendingRedemptions,
    long policyVersion,
    long checkpointVersion,
    int tokens) {}
