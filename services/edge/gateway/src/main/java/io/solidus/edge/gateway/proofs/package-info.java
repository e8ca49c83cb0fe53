/** Delegated proving: the gateway relays sealed witnesses to the prover and sealed proofs back. */
@NullMarked
package io.solidus.edge.gateway.proofs;

import org.jspecify.annotations.NullMarked;
