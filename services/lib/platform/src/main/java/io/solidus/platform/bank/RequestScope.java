package io.solidus.platform.bank;

import jakarta.servlet.http.HttpServletRequest;

/** The scope of the request that is being handled. */
public final class RequestScope {
  private static final String NAME = RequestScope.class.getName();

  private RequestScope() {}

  public static void set(HttpServletRequest request, BankScope scope) {
    request.setAttribute(NAME, scope);
  }

  /**
   * The scope of the caller.
   *
   * @throws IllegalStateException when nobody has set one
   */
  public static BankScope of(HttpServletRequest request) {
    if (request.getAttribute(NAME) instanceof BankScope scope) {
      return scope;
    }
    throw new IllegalStateException("the request has no bank scope");
  }
}
