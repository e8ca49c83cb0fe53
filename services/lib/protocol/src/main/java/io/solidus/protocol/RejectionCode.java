package io.solidus.protocol;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reasons to refuse a request. The kebab-case {@link #code()} is a stable part of every API. */
public enum RejectionCode {
  MALFORMED_REQUEST("malformed-request", 400, false),
  UNKNOWN_VERSION("unknown-version", 400, false),
  WRONG_NETWORK("wrong-network", 400, false),
  BODY_TOO_LARGE("body-too-large", 413, false),
  IDENTITY_POINT("identity-point", 400, false),
  POINT_NOT_ON_CURVE("point-not-on-curve", 400, false),
  POINT_NOT_IN_SUBGROUP("point-not-in-subgroup", 400, false),
  SERIALS_NOT_DISTINCT("serials-not-distinct", 400, false),
  CONTEXT_MISMATCH("context-mismatch", 400, false),

  SERIAL_CONFLICT("serial-conflict", 409, false),
  STALE_POLICY("stale-policy", 409, true),
  UNKNOWN_POLICY("unknown-policy", 409, true),
  STALE_PERIOD("stale-period", 409, true),
  STALE_CHECKPOINT("stale-checkpoint", 409, true),
  UNKNOWN_CHECKPOINT("unknown-checkpoint", 409, true),
  HEARTBEAT_STALE("heartbeat-stale", 503, true),

  PROOF_INVALID("proof-invalid", 422, false),
  SIGNATURE_INVALID("signature-invalid", 422, false),
  SHOWN_SIGNATURE_INVALID("shown-signature-invalid", 422, false),
  ATTESTATION_INVALID("attestation-invalid", 422, false),
  APPROVAL_INVALID("approval-invalid", 422, false),
  ALREADY_REGISTERED("already-registered", 409, false),
  MINT_CONFLICT("mint-conflict", 409, false),
  MINT_CAP_EXCEEDED("mint-cap-exceeded", 409, false),
  MINT_CAP_USED_UP("mint-cap-used-up", 409, true),

  OVER_LIMIT_TRANSFER("over-limit-transfer", 422, false),
  OVER_LIMIT_PERIOD("over-limit-period", 422, false),
  OVER_LIMIT_COUNT("over-limit-count", 422, false),
  OVER_LIMIT_HELD("over-limit-held", 422, false),
  SANCTIONED("sanctioned", 451, false),
  INSUFFICIENT_FUNDS("insufficient-funds", 422, false),

  UNAUTHORIZED("unauthorized", 401, false),
  FORBIDDEN("forbidden", 403, false),
  NOT_FOUND("not-found", 404, false),
  IDEMPOTENCY_MISMATCH("idempotency-mismatch", 422, false),
  OVERLOADED("overloaded", 429, true),
  UNAVAILABLE("unavailable", 503, true),
  NO_QUORUM("no-quorum", 503, true),
  SHARD_MOVED("shard-moved", 421, true),
  INTERNAL("internal", 500, false);

  private static final Map<String, RejectionCode> BY_CODE =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(RejectionCode::code, Function.identity()));

  private final String code;
  private final int http;
  private final boolean retryable;

  RejectionCode(String code, int http, boolean retryable) {
    this.code = code;
    this.http = http;
    this.retryable = retryable;
  }

  /** The stable kebab-case name. */
  public String code() {
    return code;
  }

  /** The HTTP status a REST service answers with. */
  public int http() {
    return http;
  }

  /** Whether the same request may succeed later, possibly with renewed evidence. */
  public boolean retryable() {
    return retryable;
  }

  public static Optional<RejectionCode> of(String code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }
}
