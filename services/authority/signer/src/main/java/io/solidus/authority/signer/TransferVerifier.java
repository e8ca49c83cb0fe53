package io.solidus.authority.signer;

import io.solidus.prover.NativeErrorCode;
import java.util.List;

/**
 * The native verifier of this network's transfers. A call occupies its thread for milliseconds to
 * seconds.
 */
interface TransferVerifier {

  /** Verifies one transfer, in the fastest way for one. */
  NativeErrorCode alone(PendingVerification transfer);

  /**
   * Verifies at most {@link io.solidus.prover.Verifier#MAX_BATCH}; each gets the verdict it would
   * get alone.
   */
  List<NativeErrorCode> together(List<PendingVerification> transfers);
}
