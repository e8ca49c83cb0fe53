/** Where proofs come from: this machine, or a prover that sees a witness and no spend key. */
@NullMarked
package io.solidus.wallet.proving;

import org.jspecify.annotations.NullMarked;
