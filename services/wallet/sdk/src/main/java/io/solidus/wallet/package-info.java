/**
 * The wallet: keys, coins, payments, receipts and restoring, as an SDK. Start at {@link
 * io.solidus.wallet.Wallet}.
 */
@NullMarked
package io.solidus.wallet;

import org.jspecify.annotations.NullMarked;
