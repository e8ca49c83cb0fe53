package io.solidus.platform.http;

import jakarta.servlet.http.HttpServletRequest;

/** The path of a request. */
public final class RequestPath {
  private RequestPath() {}

  /**
   * The path without the context's, as the container decoded and normalised it: what a filter
   * compares, so that no other spelling of a path passes it.
   */
  public static String decoded(HttpServletRequest request) {
    String rest = request.getPathInfo();
    return rest == null ? request.getServletPath() : request.getServletPath() + rest;
  }
}
