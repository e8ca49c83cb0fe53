package io.solidus.operator.console.login;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Sends a browser to the login and remembers on which page it goes on afterwards. */
public final class ReturnPath {
  /** Where a login begins. */
  static final String LOGIN = "/oauth2/authorization/" + LoginConfiguration.PROVIDER;

  /** What htmx calls; no page of these addresses is worth a return. */
  private static final String HTMX = "HX-Request";

  private static final String ATTRIBUTE = ReturnPath.class.getName();
  private static final String UNSENT = ReturnPath.class.getName() + ".unsent";
  private static final int LONGEST = 2000;

  private ReturnPath() {}

  /** Sends the browser to the login; the page of a form that was not sent comes back after it. */
  public static void toLogin(
      HttpServletRequest request, HttpServletResponse response, int strangersSessionSeconds)
      throws IOException {
    if (request.getHeader(HTMX) != null) {
      // the whole page again, which then leads to the login
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
      response.setHeader("HX-Refresh", "true");
      return;
    }
    boolean form = !"GET".equals(request.getMethod());
    HttpSession session = request.getSession();
    if (session.isNew()) {
      session.setMaxInactiveInterval(strangersSessionSeconds);
    }
    String path = form ? page(request.getHeader("Referer")) : own(request);
    session.setAttribute(ATTRIBUTE, path == null ? "/" : path);
    if (form) {
      session.setAttribute(UNSENT, true);
    }
    response.sendRedirect(LOGIN);
  }

  /** Takes the remembered page out of the session; the first page if there is none. */
  static String take(HttpSession session) {
    Object path = session.getAttribute(ATTRIBUTE);
    session.removeAttribute(ATTRIBUTE);
    return path instanceof String known ? known : "/";
  }

  /** Whether the login came in the way of a form; the answer is given once. */
  public static boolean takeUnsent(@Nullable HttpSession session) {
    if (session == null || session.getAttribute(UNSENT) == null) {
      return false;
    }
    session.removeAttribute(UNSENT);
    return true;
  }

  /** The path of an address of this site, or null. Only a path is taken: it leads nowhere else. */
  public static @Nullable String page(@Nullable String address) {
    if (address == null || address.length() > LONGEST) {
      return null;
    }
    try {
      URI uri = URI.create(address);
      String query = uri.getRawQuery();
      return checked(uri.getRawPath() + (query == null ? "" : "?" + query));
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  private static @Nullable String own(HttpServletRequest request) {
    String query = request.getQueryString();
    return checked(request.getRequestURI() + (query == null ? "" : "?" + query));
  }

  private static @Nullable String checked(String path) {
    return path.length() <= LONGEST
            && path.startsWith("/")
            && !path.startsWith("//")
            && path.indexOf('\\') < 0
        ? path
        : null;
  }
}
