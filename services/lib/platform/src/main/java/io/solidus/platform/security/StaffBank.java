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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import tools.jackson.databind.json.JsonMapper;

/** Reads the caller's bank from her access token. A bank that the platform lacks is refused. */
final class StaffBank extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final String SERVICE = "ROLE_" + Roles.SERVICE;

  private final transient Banks banks;
  private final String central;
  private final String claim;
  private final transient JsonMapper json;

  /**
   * @param central what the claim of the centre's staff says; empty: they have none
   * @param claim name or path of the claim
   */
  StaffBank(Banks banks, String central, String claim, JsonMapper json) {
    this.banks = banks;
    this.central = central;
    this.claim = claim;
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
    Object value = Claims.at(token.getToken().getClaims(), claim);
    if (value == null) {
      boolean service =
          token.getAuthorities().stream().anyMatch(held -> SERVICE.equals(held.getAuthority()));
      return central.isEmpty() || service ? Optional.of(BankScope.every()) : Optional.empty();
    }
    String bank = single(value);
    if (bank == null) {
      return Optional.empty();
    }
    if (!central.isEmpty() && bank.equals(central)) {
      return Optional.of(BankScope.every());
    }
    return banks.isKnown(bank) ? Optional.of(BankScope.of(bank)) : Optional.empty();
  }

  /** Some providers write every attribute as a list. */
  private static @Nullable String single(Object value) {
    Object only = value instanceof List<?> list && list.size() == 1 ? list.getFirst() : value;
    return only instanceof String text ? text : null;
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
