package io.solidus.platform.security;

import io.solidus.platform.bank.BankRefusedException;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.bank.Banks;
import io.solidus.platform.bank.RequestScope;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import tools.jackson.databind.json.JsonMapper;

/** Reads the caller's bank from her access token. A bank that the platform lacks is refused. */
final class StaffBank extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final String SERVICE = "ROLE_" + Roles.SERVICE;

  private final transient BankClaim claim;
  private final transient JsonMapper json;

  /**
   * @param central what the claim of the centre's staff says; empty: they have none
   * @param claim name or path of the claim
   */
  StaffBank(Banks banks, String central, String claim, JsonMapper json) {
    this.claim = new BankClaim(banks, central, claim);
    this.json = json;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Authentication caller = SecurityContextHolder.getContext().getAuthentication();
    if (caller instanceof JwtAuthenticationToken token) {
      Optional<BankScope> scope = scope(token);
      if (scope.isEmpty()) {
        refuse(response);
        return;
      }
      RequestScope.set(request, scope.get());
    }
    chain.doFilter(request, response);
  }

  private Optional<BankScope> scope(JwtAuthenticationToken token) {
    Map<String, Object> claims = token.getToken().getClaims();
    boolean service =
        token.getAuthorities().stream().anyMatch(held -> SERVICE.equals(held.getAuthority()));
    return service && claim.isAbsent(claims) ? Optional.of(BankScope.every()) : claim.scope(claims);
  }

  private void refuse(HttpServletResponse response) throws IOException {
    BankRefusedException.Kind kind = BankRefusedException.Kind.UNKNOWN_STAFF;
    response.setStatus(kind.status());
    response.setContentType(Problem.MEDIA_TYPE);
    json.writeValue(
        response.getOutputStream(),
        ProblemResponses.answer(
                kind.status(), kind.code(), "the token names no bank of this platform", false)
            .getBody());
  }
}
