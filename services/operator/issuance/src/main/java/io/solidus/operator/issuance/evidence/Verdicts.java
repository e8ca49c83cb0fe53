package io.solidus.operator.issuance.evidence;

import io.solidus.protocol.RejectionCode;
import io.solidus.prover.NativeErrorCode;

/** What the native library finds, in the words of the protocol. */
final class Verdicts {
  private Verdicts() {}

  static RejectionCode rejection(NativeErrorCode verdict) {
    return switch (verdict) {
      case PROOF_INVALID, PROOF_LENGTH, PROOF_ENCODING, PROOF_HAS_COMMITMENTS ->
          RejectionCode.PROOF_INVALID;
      case KEY_SIGNATURE_INVALID -> RejectionCode.SIGNATURE_INVALID;
      case SHOWN_SIGNATURE_INVALID -> RejectionCode.SHOWN_SIGNATURE_INVALID;
      case IDENTITY_POINT -> RejectionCode.IDENTITY_POINT;
      case POINT_NOT_ON_CURVE -> RejectionCode.POINT_NOT_ON_CURVE;
      case POINT_NOT_IN_SUBGROUP -> RejectionCode.POINT_NOT_IN_SUBGROUP;
      case SERIALS_NOT_DISTINCT -> RejectionCode.SERIALS_NOT_DISTINCT;
      case UNKNOWN_CIRCUIT -> RejectionCode.UNKNOWN_VERSION;
      case OVERLOADED -> RejectionCode.OVERLOADED;
      case INTERNAL, UNKNOWN_HANDLE, UNKNOWN_OPERATION, LIBRARY_MISSING, LIBRARY_MISMATCH ->
          RejectionCode.INTERNAL;
      default -> RejectionCode.MALFORMED_REQUEST;
    };
  }
}
