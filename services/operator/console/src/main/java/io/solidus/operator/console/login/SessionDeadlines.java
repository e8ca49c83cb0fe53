package io.solidus.operator.console.login;

import io.solidus.operator.console.ConsoleProperties;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends sessions that nobody uses, and those that are old. A page that renews itself is not use:
 * otherwise an open page would keep a session for ever.
 */
final class SessionDeadlines extends OncePerRequestFilter {
  /** Addresses that pages call by themselves. */
  static final String LIVE = "/live/";

  private static final String LOGIN = SessionDeadlines.class.getName() + ".login";
  private static final String USE = SessionDeadlines.class.getName() + ".use";

  private final ConsoleProperties properties;
  private final Clock clock;

  SessionDeadlines(ConsoleProperties properties, Clock clock) {
    this.properties = properties;
    this.clock = clock;
  }

  /** Notes the login. */
  static void begin(HttpSession session, Instant now) {
    session.setAttribute(LOGIN, now);
    session.setAttribute(USE, now);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    HttpSession session = request.getSession(false);
    if (session != null && session.getAttribute(LOGIN) instanceof Instant login) {
      Instant now = clock.instant();
      Instant use = (Instant) session.getAttribute(USE);
      if (isOver(login, properties.longest(), now) || isOver(use, properties.idle(), now)) {
        session.invalidate();
        SecurityContextHolder.clearContext();
      } else if (!request.getRequestURI().startsWith(LIVE)) {
        session.setAttribute(USE, now);
      }
    }
    chain.doFilter(request, response);
  }

  private static boolean isOver(Instant from, Duration limit, Instant now) {
    return now.isAfter(from.plus(limit));
  }
}
