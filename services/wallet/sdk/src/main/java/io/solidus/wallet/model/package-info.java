/**
 * The wallet's data: profile, coins, records and pending operations. Plain values without input or
 * output.
 *
 * <p>Applications use {@code WalletProfile}, {@code ServicePins}, {@code PayoutInstruction}, {@code
 * ReceivedCoin}, {@code RegistrationStatus}, {@code Contact}, the records of lists of payments, and
 * {@code Money}. The rest is internal.
 */
@NullMarked
package io.solidus.wallet.model;

import org.jspecify.annotations.NullMarked;
