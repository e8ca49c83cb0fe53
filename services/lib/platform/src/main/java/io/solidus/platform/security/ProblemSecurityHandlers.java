package io.solidus.platform.security;

import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.RejectionCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers a missing or invalid token, a missing role, or an absent token issuer with a problem
 * document.
 */
final class ProblemSecurityHandlers
    implements AuthenticationEntryPoint, AuthenticationFailureHandler, AccessDeniedHandler {
  private static final Logger log = LoggerFactory.getLogger(ProblemSecurityHandlers.class);
  private static final String ISSUER_AWAY = "token-issuer-unavailable";
  private static final int UNAVAILABLE = 503;
  private static final String RETRY_SECONDS = "5";

  private final JsonMapper json;

  ProblemSecurityHandlers(JsonMapper json) {
    this.json = json;
  }

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    response.setHeader("WWW-Authenticate", "Bearer");
    write(response, RejectionCode.UNAUTHORIZED, "a valid access token is needed");
  }

  /** A token that nobody could check is not a bad token: its owner may try again. */
  @Override
  public void onAuthenticationFailure(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    if (!(failure instanceof AuthenticationServiceException)) {
      commence(request, response, failure);
      return;
    }
    log.warn("the token issuer's keys cannot be had: {}", cause(failure));
    response.setHeader("Retry-After", RETRY_SECONDS);
    Problem problem =
        ProblemResponses.answer(
                UNAVAILABLE, ISSUER_AWAY, "the token issuer cannot be reached; try again", true)
            .getBody();
    response.setStatus(UNAVAILABLE);
    response.setContentType(Problem.MEDIA_TYPE);
    json.writeValue(response.getOutputStream(), problem);
  }

  /** The innermost message, which names no token. */
  private static String cause(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner.getClass().getSimpleName() + ": " + inner.getMessage();
  }

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException failure)
      throws IOException {
    write(response, RejectionCode.FORBIDDEN, "this call needs another role");
  }

  private void write(HttpServletResponse response, RejectionCode code, String detail)
      throws IOException {
    response.setStatus(code.http());
    response.setContentType(Problem.MEDIA_TYPE);
    json.writeValue(
        response.getOutputStream(), Problem.of(code, detail, ProblemResponses.traceId()));
  }
}
