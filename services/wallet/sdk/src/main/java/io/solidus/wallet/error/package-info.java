/** What a wallet cannot do, with stable codes and exit statuses. */
@NullMarked
package io.solidus.wallet.error;

import org.jspecify.annotations.NullMarked;
