/** Transfers: fan-out, quorum, the answer a wallet verifies for itself. */
@NullMarked
package io.solidus.edge.gateway.transfers;

import org.jspecify.annotations.NullMarked;
