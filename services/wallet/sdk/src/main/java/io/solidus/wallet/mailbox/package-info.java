/** Parcels: coins and backup copies, sealed to blobs of equal size for the mailbox. Internal. */
@NullMarked
package io.solidus.wallet.mailbox;

import org.jspecify.annotations.NullMarked;
