/** Failures of a wallet, with stable codes and exit statuses. */
@NullMarked
package io.solidus.wallet.error;

import org.jspecify.annotations.NullMarked;
