/** The parts that a wallet is made of. Applications use {@link io.solidus.wallet.Wallet}. */
@NullMarked
package io.solidus.wallet.session;

import org.jspecify.annotations.NullMarked;
