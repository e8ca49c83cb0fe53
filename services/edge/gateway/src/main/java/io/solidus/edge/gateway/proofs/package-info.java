/** Delegated proving; the gateway relays what is sealed to the prover. */
@NullMarked
package io.solidus.edge.gateway.proofs;

import org.jspecify.annotations.NullMarked;
