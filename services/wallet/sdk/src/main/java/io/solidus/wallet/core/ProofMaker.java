package io.solidus.wallet.core;

import io.solidus.protocol.Family;
import io.solidus.prover.NativeException;

/** Makes proofs, as {@link io.solidus.prover.Prover#prove} does. */
@FunctionalInterface
public interface ProofMaker {
  /**
   * Makes a proof.
   *
   * @param witness which may be overwritten
   * @throws NativeException when there is no proof
   */
  byte[] prove(Family family, byte[] witness);
}
