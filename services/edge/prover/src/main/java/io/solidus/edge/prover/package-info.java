/**
 * Proves for wallets that delegate. It sees the payment it proves and cannot spend: a witness holds
 * no spend key.
 */
@NullMarked
package io.solidus.edge.prover;

import org.jspecify.annotations.NullMarked;
