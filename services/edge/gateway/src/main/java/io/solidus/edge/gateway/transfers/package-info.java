/** Transfers: the call to all authorities, the quorum, and the certificate for the wallet. */
@NullMarked
package io.solidus.edge.gateway.transfers;

import org.jspecify.annotations.NullMarked;
