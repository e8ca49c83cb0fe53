/** Opens a sealed witness, proves, seals the proof. */
@NullMarked
package io.solidus.edge.prover.proving;

import org.jspecify.annotations.NullMarked;
