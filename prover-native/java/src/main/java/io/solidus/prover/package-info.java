/**
 * Signatures, proofs and their verification by a Go library inside this process.
 *
 * <p>{@link io.solidus.prover.Suite} holds the stateless operations of coins and signatures. {@link
 * io.solidus.prover.KeySet} is a verified directory of keys; {@link io.solidus.prover.Prover} and
 * {@link io.solidus.prover.Verifier} work with it. {@link io.solidus.prover.Share} is an
 * authority's share of the signing key, {@link io.solidus.prover.SanctionTree} the list of blocked
 * addresses. Objects that hold native memory or secrets are closed by their owner.
 *
 * <p>Every failure is a {@link io.solidus.prover.NativeException} with a {@link
 * io.solidus.prover.NativeErrorCode}; a defect in the library is one too and leaves the process
 * alive. All classes are safe for concurrent use.
 */
@NullMarked
package io.solidus.prover;

import org.jspecify.annotations.NullMarked;
