package io.solidus.authority.signer;

import io.solidus.prover.NativeErrorCode;
import java.util.List;

/**
 * The native verifier of this network's transfers. A call keeps its thread busy for milliseconds to
 * seconds.
 */
interface TransferVerifier {

  /** The fastest way for one. */
  NativeErrorCode alone(Verification transfer);

  /**
   * At most {@link io.solidus.prover.Verifier#MAX_BATCH}; each gets the verdict that it would get
   * alone.
   */
  List<NativeErrorCode> together(List<Verification> transfers);
}
