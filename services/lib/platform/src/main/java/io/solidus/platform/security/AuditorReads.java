package io.solidus.platform.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/**
 * Lets auditors read whatever anybody may read: for a GET, which changes nothing, an auditor has
 * the roles of all people. So no route can forget her.
 */
final class AuditorReads extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final String AUDITOR = "ROLE_" + Roles.AUDITOR;
  private static final List<GrantedAuthority> READERS =
      Roles.all().stream()
          .filter(role -> !role.equals(Roles.SERVICE))
          .<GrantedAuthority>map(role -> new SimpleGrantedAuthority("ROLE_" + role))
          .toList();

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Authentication caller = SecurityContextHolder.getContext().getAuthentication();
    if (request.getMethod().equals("GET")
        && caller instanceof JwtAuthenticationToken token
        && token.getAuthorities().stream().anyMatch(held -> AUDITOR.equals(held.getAuthority()))) {
      SecurityContext reading = SecurityContextHolder.createEmptyContext();
      reading.setAuthentication(
          new JwtAuthenticationToken(token.getToken(), READERS, token.getName()));
      SecurityContextHolder.setContext(reading);
    }
    chain.doFilter(request, response);
  }
}
