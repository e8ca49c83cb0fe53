package io.solidus.platform.security;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/**
 * The person who calls an admin operation. Four-eyes rules compare subjects.
 *
 * @param subject the token's {@code sub}
 */
public record Operator(String subject) {
  /** Begins what a service calls itself where it acts on its own. No token has such a subject. */
  public static final String SYSTEM = "system:";

  private static final Pattern SPACES = Pattern.compile("\\s+");

  /**
   * Whether two subjects are of one person: providers give out subjects that differ in case or
   * spaces for one person, and hardly ever for two. Every rule that needs two persons asks here.
   */
  public static boolean samePerson(@Nullable String one, @Nullable String other) {
    return one != null && other != null && folded(one).equals(folded(other));
  }

  /** What stands for the person in comparisons. Stored is the subject as the token has it. */
  public static String folded(String subject) {
    return SPACES.matcher(subject).replaceAll("").toLowerCase(Locale.ROOT);
  }

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
