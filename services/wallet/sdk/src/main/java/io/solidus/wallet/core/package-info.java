/**
 * A host of the wallet's core without input and output (page 6, "The core and its host"): step,
 * keep, perform. {@link io.solidus.wallet.core.CoreHost} is the loop; storage, HTTP, proofs and
 * time are interfaces, of which this library has implementations and an application may have its
 * own.
 */
@NullMarked
package io.solidus.wallet.core;

import org.jspecify.annotations.NullMarked;
