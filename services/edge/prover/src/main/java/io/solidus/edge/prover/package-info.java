/**
 * The prover service, which makes proofs for wallets that delegate them. It sees the payments that
 * it proves. It cannot spend, because a witness does not contain the spend key.
 */
@NullMarked
package io.solidus.edge.prover;

import org.jspecify.annotations.NullMarked;
