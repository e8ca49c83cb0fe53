/**
 * The operations of an open wallet. Applications use {@code WalletOptions}, {@code WalletPlatform}
 * and {@code Progress}, and the result {@code Restorer.Restored}. The rest is internal;
 * applications call {@link io.solidus.wallet.Wallet}.
 */
@NullMarked
package io.solidus.wallet.session;

import org.jspecify.annotations.NullMarked;
