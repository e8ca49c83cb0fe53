package io.solidus.platform.security;

import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.RejectionCode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import tools.jackson.databind.json.JsonMapper;

/** Answers a missing or invalid token, or a missing role, with a problem document. */
final class ProblemSecurityHandlers implements AuthenticationEntryPoint, AccessDeniedHandler {
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
