package io.solidus.platform.publicapi;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.springframework.web.filter.OncePerRequestFilter;

/** Says in every answer since when the API is deprecated (RFC 9745) and when it ends (RFC 8594). */
final class DeprecationFilter extends OncePerRequestFilter {
  private final PublicApiProperties properties;

  DeprecationFilter(PublicApiProperties properties) {
    this.properties = properties;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Instant deprecated = properties.deprecatedAt();
    if (deprecated != null) {
      response.setHeader("Deprecation", "@" + deprecated.getEpochSecond());
    }
    Instant sunset = properties.sunsetAt();
    if (sunset != null) {
      response.setHeader(
          "Sunset", DateTimeFormatter.RFC_1123_DATE_TIME.format(sunset.atZone(ZoneOffset.UTC)));
    }
    URI page = properties.deprecationPage();
    if (page != null) {
      response.setHeader("Link", "<" + page + ">; rel=\"deprecation\"; type=\"text/html\"");
    }
    chain.doFilter(request, response);
  }
}
