package io.solidus.platform.problem;

import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Makes the HTTP response of a refusal. */
public final class ProblemResponses {
  /** The shortest time that a caller waits before it retries. */
  public static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private ProblemResponses() {}

  public static ResponseEntity<Problem> answer(RejectionCode code, String detail) {
    return answer(code, detail, RETRY_AFTER);
  }

  /**
   * Makes a response.
   *
   * @param retryAfter for codes 429 and 503; rounded up to whole seconds, at least one
   */
  public static ResponseEntity<Problem> answer(
      RejectionCode code, String detail, Duration retryAfter) {
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.status(code.http())
            .contentType(MediaType.parseMediaType(Problem.MEDIA_TYPE));
    if (code.http() == 429 || code.http() == 503) {
      answer.header(
          HttpHeaders.RETRY_AFTER,
          Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds())));
    }
    return answer.body(Problem.of(code, detail, traceId()));
  }

  /** Makes the answer for a refusal with a code that is not a {@link RejectionCode}. */
  public static ResponseEntity<Problem> answer(
      int status, String code, String detail, boolean retryable) {
    return ResponseEntity.status(status)
        .contentType(MediaType.parseMediaType(Problem.MEDIA_TYPE))
        .body(
            new Problem(
                "urn:solidus:problem:" + code,
                code.replace('-', ' '),
                status,
                detail,
                code,
                retryable,
                traceId()));
  }

  /** Returns the trace id of the current request, if it has one. */
  public static @Nullable String traceId() {
    return MDC.get("traceId");
  }
}
