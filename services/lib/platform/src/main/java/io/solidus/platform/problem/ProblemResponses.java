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
    return headers(code.http(), retryAfter).body(Problem.of(code, detail, traceId()));
  }

  /** The headers of a problem with this status, for a body with more than the problem. */
  public static ResponseEntity.BodyBuilder headers(int status) {
    return headers(status, RETRY_AFTER);
  }

  private static ResponseEntity.BodyBuilder headers(int status, Duration retryAfter) {
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.status(status).contentType(MediaType.parseMediaType(Problem.MEDIA_TYPE));
    if (asksToRetry(status)) {
      answer.header(HttpHeaders.RETRY_AFTER, seconds(retryAfter));
    }
    return answer;
  }

  /** Whether an answer with this status says when to try again. */
  static boolean asksToRetry(int status) {
    return status == 429 || status == 503;
  }

  /** Whole seconds, rounded up, at least one. */
  static String seconds(Duration retryAfter) {
    return Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds()));
  }

  /** Makes the answer for a refusal with a code that is not a {@link RejectionCode}. */
  public static ResponseEntity<Problem> answer(
      int status, String code, String detail, boolean retryable) {
    return headers(status)
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
