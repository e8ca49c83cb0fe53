package io.solidus.prover;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;

/** Maps the error codes of the native library to the protocol's rejection codes. */
public final class NativeRejections {
  private NativeRejections() {}

  /**
   * Requires that a verification succeeded.
   *
   * @throws ProtocolException unless the code is OK
   */
  public static void requireOk(NativeErrorCode code) {
    if (code != NativeErrorCode.OK) {
      throw new ProtocolException(of(code), code.meaning());
    }
  }

  /** Returns the refusal that a caller of a service sees. */
  public static ProtocolException of(NativeException failure) {
    return new ProtocolException(of(failure.code()), failure.code().meaning(), failure);
  }

  /** Maps a code. Defects of the library and of its keys are INTERNAL, not the caller's fault. */
  public static RejectionCode of(NativeErrorCode code) {
    return switch (code) {
      case IDENTITY_POINT -> RejectionCode.IDENTITY_POINT;
      case POINT_NOT_ON_CURVE -> RejectionCode.POINT_NOT_ON_CURVE;
      case POINT_NOT_IN_SUBGROUP -> RejectionCode.POINT_NOT_IN_SUBGROUP;
      case SERIALS_NOT_DISTINCT -> RejectionCode.SERIALS_NOT_DISTINCT;
      case UNKNOWN_CIRCUIT -> RejectionCode.UNKNOWN_VERSION;
      case SHOWN_SIGNATURE_INVALID -> RejectionCode.SHOWN_SIGNATURE_INVALID;
      case KEY_SIGNATURE_INVALID, SIGNATURE_INVALID, PARTIAL_INVALID ->
          RejectionCode.SIGNATURE_INVALID;
      case PROOF_INVALID, PROOF_ENCODING, PROOF_HAS_COMMITMENTS, LINK_INVALID ->
          RejectionCode.PROOF_INVALID;
      case OVERLOADED -> RejectionCode.OVERLOADED;
      case DEADLINE_EXCEEDED, CANCELLED -> RejectionCode.UNAVAILABLE;
      case MALFORMED_REQUEST,
          FIELD_NOT_CANONICAL,
          SCALAR_NOT_CANONICAL,
          SCALAR_ZERO,
          POINT_NOT_CANONICAL,
          BAD_LENGTH,
          PROOF_LENGTH,
          WRONG_FAMILY,
          WRONG_SERIAL_COUNT,
          WRONG_OUTPUT_COUNT,
          WRONG_SHOW_COUNT,
          OWNER_ZERO ->
          RejectionCode.MALFORMED_REQUEST;
      case OK,
          INTERNAL,
          UNKNOWN_OPERATION,
          REQUEST_TOO_LARGE,
          UNKNOWN_HANDLE,
          LIBRARY_MISSING,
          LIBRARY_MISMATCH,
          BAD_NETWORK_ID,
          INDEX_OUT_OF_RANGE,
          DUPLICATE_INDEX,
          QUORUM_SIZE,
          COMMITTEE_INVALID,
          SHARE_INVALID,
          KEYS_MISSING,
          KEYS_TRUNCATED,
          KEYS_OVERSIZED,
          KEYS_DIGEST,
          KEYS_SIGNATURE,
          KEYS_NETWORK,
          KEYS_KIND,
          KEYS_CLASS,
          KEYS_TRANSCRIPTS,
          KEYS_MISMATCH,
          KEYS_MANIFEST,
          KEYS_COMMITMENT_KEYS,
          KEYS_INFINITE_POINT,
          KEYS_DEGENERATE,
          KEYS_PUBLIC_INPUTS,
          KEYS_NO_CIRCUIT,
          KEYS_BUSY,
          KEYS_PERMISSIONS,
          KEYS_INCONSISTENT,
          WITNESS_INVALID,
          INSUFFICIENT_FUNDS,
          OVER_LIMIT_TRANSFER,
          OVER_LIMIT_PERIOD,
          OVER_LIMIT_COUNT,
          OVER_LIMIT_HELD,
          PERIOD_BACKWARDS,
          LISTED,
          LIST_NOT_SORTED,
          LIST_DUPLICATE,
          LIST_SENTINEL,
          LIST_TOO_LARGE,
          MEMBERSHIP_PATH ->
          RejectionCode.INTERNAL;
    };
  }
}
