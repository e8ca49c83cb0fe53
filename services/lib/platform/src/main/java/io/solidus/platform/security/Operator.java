package io.solidus.platform.security;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.Objects;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/**
 * The person who calls an admin operation. Four-eyes rules compare subjects.
 *
 * @param subject the token's {@code sub}
 */
public record Operator(String subject) {

  /**
   * Returns the operator of the current request.
   *
   * @throws ProtocolException unauthorized when the request is not authenticated
   */
  public static Operator current() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    if (authentication instanceof JwtAuthenticationToken token
        && authentication.isAuthenticated()) {
      return new Operator(
          Objects.requireNonNull(
              token.getToken().getSubject(), "tokens without subject are refused"));
    }
    throw new ProtocolException(RejectionCode.UNAUTHORIZED, "a valid bearer token is needed");
  }
}
