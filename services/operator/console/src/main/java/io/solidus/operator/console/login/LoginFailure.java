package io.solidus.operator.console.login;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.ResourceAccessException;

/** Why a login failed, as the person reads it. */
public enum LoginFailure {
  PROVIDER_AWAY(
      503,
      "provider-unavailable",
      "The login service does not answer",
      "Try again in a minute. If it still does not answer, tell your administrator."),
  OLD(
      400,
      "login-too-old",
      "This login is too old, or was begun in another browser",
      "Log in again from here."),
  CANCELLED(400, "login-cancelled", "The login service did not let you in", "Log in again."),
  REFUSED(
      403,
      "login-failed",
      "The login did not work",
      "Log in again. If it fails again, tell your administrator.");

  private static final Logger log = LoggerFactory.getLogger(LoginFailure.class);
  private static final String ATTRIBUTE = LoginFailure.class.getName();
  private static final String RETRY_SECONDS = "30";
  private static final Set<String> OLD_STATE =
      Set.of("authorization_request_not_found", "invalid_state_parameter");

  private final int status;
  private final String code;
  private final String title;
  private final String next;

  LoginFailure(int status, String code, String title, String next) {
    this.status = status;
    this.code = code;
    this.title = title;
    this.next = next;
  }

  /** Stable, kebab case. */
  public String code() {
    return code;
  }

  public String title() {
    return title;
  }

  /** What the person can do. */
  public String next() {
    return next;
  }

  /** The failure that a page of an error is about; null if it is about something else. */
  public static @Nullable LoginFailure of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof LoginFailure failure ? failure : null;
  }

  /** Answers a failed login with its page. */
  static void answer(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException problem)
      throws IOException {
    LoginFailure failure = of(request, problem);
    log.warn("a login failed: {}, {}", failure.code, reason(problem));
    request.setAttribute(ATTRIBUTE, failure);
    if (failure == PROVIDER_AWAY) {
      response.setHeader("Retry-After", RETRY_SECONDS);
    }
    response.sendError(failure.status);
  }

  private static LoginFailure of(HttpServletRequest request, AuthenticationException problem) {
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProviderAwayException
          || cause instanceof IOException
          || cause instanceof ResourceAccessException
          || cause instanceof HttpServerErrorException) {
        return PROVIDER_AWAY;
      }
    }
    boolean noAnswer =
        request.getParameter("code") == null && request.getParameter("error") == null;
    if (noAnswer || OLD_STATE.contains(reason(problem))) {
      return OLD;
    }
    return reason(problem).equals("access_denied") ? CANCELLED : REFUSED;
  }

  /** A code of the protocol; no text of the provider, which may name the person. */
  private static String reason(AuthenticationException problem) {
    return problem instanceof OAuth2AuthenticationException known
        ? known.getError().getErrorCode()
        : problem.getClass().getSimpleName();
  }
}
