/** Coins on their way to their owner: sealed blobs of equal size. */
@NullMarked
package io.solidus.wallet.mailbox;

import org.jspecify.annotations.NullMarked;
