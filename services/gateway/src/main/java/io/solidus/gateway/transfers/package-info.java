/** Transfers: fan-out, quorum, the answer a wallet verifies for itself. */
@NullMarked
package io.solidus.gateway.transfers;

import org.jspecify.annotations.NullMarked;
