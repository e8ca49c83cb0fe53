package io.solidus.authority.signer;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.NativeErrorCode;

/** What the native verifier's codes mean to a caller. */
final class Verdicts {

  private Verdicts() {}

  /**
   * @throws ProtocolException unless the code is OK
   */
  static void require(NativeErrorCode code) {
    if (code != NativeErrorCode.OK) {
      throw new ProtocolException(rejection(code), code.meaning());
    }
  }

  static RejectionCode rejection(NativeErrorCode code) {
    return switch (code) {
      case IDENTITY_POINT -> RejectionCode.IDENTITY_POINT;
      case POINT_NOT_ON_CURVE -> RejectionCode.POINT_NOT_ON_CURVE;
      case POINT_NOT_IN_SUBGROUP -> RejectionCode.POINT_NOT_IN_SUBGROUP;
      case SERIALS_NOT_DISTINCT -> RejectionCode.SERIALS_NOT_DISTINCT;
      case UNKNOWN_CIRCUIT -> RejectionCode.UNKNOWN_VERSION;
      case SHOWN_SIGNATURE_INVALID -> RejectionCode.SHOWN_SIGNATURE_INVALID;
      case KEY_SIGNATURE_INVALID, SIGNATURE_INVALID, PARTIAL_INVALID ->
          RejectionCode.SIGNATURE_INVALID;
      case PROOF_INVALID, PROOF_HAS_COMMITMENTS, PROOF_ENCODING -> RejectionCode.PROOF_INVALID;
      case OVERLOADED -> RejectionCode.OVERLOADED;
      case DEADLINE_EXCEEDED, CANCELLED -> RejectionCode.UNAVAILABLE;
      case FIELD_NOT_CANONICAL,
          SCALAR_NOT_CANONICAL,
          SCALAR_ZERO,
          POINT_NOT_CANONICAL,
          BAD_LENGTH,
          PROOF_LENGTH,
          WRONG_FAMILY,
          WRONG_SERIAL_COUNT,
          WRONG_OUTPUT_COUNT,
          WRONG_SHOW_COUNT,
          OWNER_ZERO,
          MALFORMED_REQUEST ->
          RejectionCode.MALFORMED_REQUEST;
      default -> RejectionCode.INTERNAL;
    };
  }
}
