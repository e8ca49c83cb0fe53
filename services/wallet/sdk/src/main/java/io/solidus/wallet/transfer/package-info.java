/** Building of transfers: coin selection, derived secrets, evidence, signatures. Internal. */
@NullMarked
package io.solidus.wallet.transfer;

import org.jspecify.annotations.NullMarked;
