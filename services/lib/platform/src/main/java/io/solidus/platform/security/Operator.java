package io.solidus.platform.security;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/**
 * The person who calls an admin operation; four-eyes rules compare subjects.
 *
 * @param subject the token's {@code sub}
 */
public record Operator(String subject) {

  /**
   * @throws ProtocolException unauthorized when nobody is authenticated
   */
  public static Operator current() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    if (authentication instanceof JwtAuthenticationToken token
        && authentication.isAuthenticated()) {
      return new Operator(token.getToken().getSubject());
    }
    throw new ProtocolException(RejectionCode.UNAUTHORIZED, "a valid bearer token is needed");
  }
}
