package io.solidus.operator.console.login;

import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/**
 * Who is logged in.
 *
 * @param subject as the services record it
 * @param name as the provider writes it for people; the subject if it does not
 * @param roles decide which pages are offered; the services decide what is done
 */
public record Person(String subject, String name, Set<String> roles) {
  private static final String PREFIX = "ROLE_";

  public Person {
    roles = Set.copyOf(roles);
  }

  static Person of(Authentication login) {
    OidcUser user = (OidcUser) login.getPrincipal();
    String name = user == null ? null : user.getPreferredUsername();
    return new Person(
        login.getName(),
        name == null ? login.getName() : name,
        login.getAuthorities().stream()
            .map(GrantedAuthority::getAuthority)
            .filter(authority -> authority != null && authority.startsWith(PREFIX))
            .map(authority -> authority.substring(PREFIX.length()))
            .collect(Collectors.toSet()));
  }
}
