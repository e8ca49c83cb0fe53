package io.solidus.platform.security;

import io.solidus.platform.http.RequestPath;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.RejectionCode;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps the two ports of a service apart. The admin API and its description exist on the admin port
 * alone, and nothing else exists there. The port is the one that the connection came in on; no
 * header changes it.
 */
final class AdminDoor extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final List<String> BEHIND =
      List.of("/admin", "/v3/api-docs", "/v3/api-docs.yaml", "/swagger-ui", "/swagger-ui.html");

  private final transient AdminListener listener;
  private final transient JsonMapper json;

  AdminDoor(AdminListener listener, JsonMapper json) {
    this.listener = listener;
    this.json = json;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean here = request.getLocalPort() == listener.port();
    if (here == isBehind(request)) {
      chain.doFilter(request, response);
      return;
    }
    response.setStatus(RejectionCode.NOT_FOUND.http());
    response.setContentType(Problem.MEDIA_TYPE);
    json.writeValue(
        response.getOutputStream(),
        Problem.of(
            RejectionCode.NOT_FOUND, "no resource has this address", ProblemResponses.traceId()));
  }

  private static boolean isBehind(HttpServletRequest request) {
    String asked = RequestPath.decoded(request);
    return BEHIND.stream().anyMatch(door -> asked.equals(door) || asked.startsWith(door + "/"));
  }
}
