package io.solidus.wallet;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Period;
import io.solidus.wallet.model.RegistrationStatus;

/**
 * Where a wallet stands; read from its file alone.
 *
 * @param sent total paid in {@code period}
 * @param count transfers in {@code period}
 * @param transferInFlight a transfer was sent and is not finished
 * @param policyVersion newest policy seen, zero before the first
 */
public record WalletStatus(
    RegistrationStatus.Stage registration,
    Balance balance,
    Period period,
    Amount sent,
    int count,
    boolean transferInFlight,
    int pendingMints,
    int pendingDeliveries,
    int pendingRedemptions,
    long policyVersion,
    long checkpointVersion) {}
