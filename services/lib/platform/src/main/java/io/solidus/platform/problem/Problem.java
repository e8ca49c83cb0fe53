package io.solidus.platform.problem;

import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Member;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response, application/problem+json (RFC 9457).
 *
 * @param code stable, kebab case
 * @param retryable whether the same request may succeed later
 * @param traceId finds the request in the logs; null when tracing is off
 */
public record Problem(
    String type,
    String title,
    @Member(min = 400, max = 599) int status,
    String detail,
    @Member(pattern = "[a-z0-9-]+") String code,
    boolean retryable,
    @Nullable String traceId) {
  public static final String MEDIA_TYPE = "application/problem+json";

  public static Problem of(RejectionCode code, String detail, @Nullable String traceId) {
    return of(code, code.http(), detail, traceId);
  }

  static Problem of(RejectionCode code, int status, String detail, @Nullable String traceId) {
    return new Problem(
        "urn:solidus:problem:" + code.code(),
        code.code().replace('-', ' '),
        status,
        detail,
        code.code(),
        code.retryable(),
        traceId);
  }
}
