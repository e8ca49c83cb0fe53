/** Wallets that break the rules on purpose, for tests and demonstrations only. */
@NullMarked
package io.solidus.wallet.testing;

import org.jspecify.annotations.NullMarked;
