package io.solidus.operator.console.login;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/**
 * Who is logged in.
 *
 * @param subject as the services record it
 * @param name as the provider writes it for people; the subject if it does not
 * @param bank whose staff she is; empty: the centre's
 * @param roles decide which pages are offered; the services decide what is done
 */
public record Person(String subject, String name, String bank, Set<String> roles) {
  static final String ROLE = "ROLE_";
  static final String BANK = "BANK_";

  public Person {
    roles = Set.copyOf(roles);
  }

  static Person of(Authentication login) {
    OidcUser user = (OidcUser) login.getPrincipal();
    String name = user == null ? null : user.getPreferredUsername();
    return new Person(
        login.getName(),
        name == null ? login.getName() : name,
        held(login, BANK).findFirst().orElse(""),
        held(login, ROLE).collect(Collectors.toSet()));
  }

  private static Stream<String> held(Authentication login, String prefix) {
    return login.getAuthorities().stream()
        .map(GrantedAuthority::getAuthority)
        .filter(authority -> authority != null && authority.startsWith(prefix))
        .map(authority -> authority.substring(prefix.length()));
  }

  /** Whether she may look at every bank's objects. */
  public boolean isOfCentre() {
    return bank.isEmpty();
  }
}
