/** Proofs from this process or from a prover service, and their verification. Internal. */
@NullMarked
package io.solidus.wallet.proving;

import org.jspecify.annotations.NullMarked;
