package io.solidus.edge.gateway.tokens;

import io.solidus.edge.gateway.load.Admission;
import io.solidus.platform.http.RequestPath;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Has strangers of a network wait, while refusals of that network do, before anything of their
 * request but its head is read. A stranger who opens a thousand connections at once would otherwise
 * have a thousand bodies parsed at once, to be refused one after the other.
 *
 * <p>What strangers get is a rate that all of them share, so no request is served later for it than
 * its network's refusals would let it be answered.
 */
final class StrangersWait extends HttpFilter {
  private static final long serialVersionUID = 1L;

  /** What strangers may send and has a body; the rest costs little before its place is taken. */
  private static final Set<String> PATHS =
      Set.of("/v1/mailbox", "/v1/mailbox/queries", "/v1/coins/state", "/v1/proofs");

  private final transient TokenGate gate;
  private final transient Admission admission;

  StrangersWait(TokenGate gate, Admission admission) {
    this.gate = gate;
    this.admission = admission;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (mayBeAStrangers(request)
        && gate.isStrangers(request.getHeader(HttpHeaders.AUTHORIZATION))
        && admission.awaitBefore(request.getRemoteAddr())) {
      request.setAttribute(Admission.HAS_WAITED, true);
    }
    chain.doFilter(request, response);
  }

  private static boolean mayBeAStrangers(HttpServletRequest request) {
    return HttpMethod.POST.matches(request.getMethod())
        && PATHS.contains(RequestPath.decoded(request));
  }
}
