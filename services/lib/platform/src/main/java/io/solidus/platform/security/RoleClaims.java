package io.solidus.platform.security;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.jwt.Jwt;

/**
 * Reads the roles of a token. A token with the role {@code service} or {@code auditor} has no other
 * role, whatever it says: a service decides nothing, and neither does who audits the deciders. A
 * token that a service got for itself has no role of a person, either.
 */
public final class RoleClaims {
  private final List<String> paths;

  /**
   * @param paths of the claims that hold roles: names, or paths with dots
   */
  public RoleClaims(List<String> paths) {
    this.paths = List.copyOf(paths);
  }

  /** Only roles that are in {@link Roles}; a claim that is no list yields no role. */
  Collection<GrantedAuthority> authorities(Jwt token) {
    return effective(held(token.getClaims()), ServiceTokens.isOfService(token)).stream()
        .<GrantedAuthority>map(role -> new SimpleGrantedAuthority("ROLE_" + role))
        .toList();
  }

  /** The roles that count of a person's token with these claims. */
  public Set<String> roles(Map<String, Object> claims) {
    return effective(held(claims), false);
  }

  private Set<String> held(Map<String, Object> claims) {
    return paths.stream()
        .map(path -> Claims.at(claims, path))
        .filter(Collection.class::isInstance)
        .flatMap(claim -> ((Collection<?>) claim).stream())
        .filter(Roles.all()::contains)
        .map(String.class::cast)
        .collect(Collectors.toSet());
  }

  private static Set<String> effective(Set<String> held, boolean service) {
    for (String alone : List.of(Roles.SERVICE, Roles.AUDITOR)) {
      if (held.contains(alone)) {
        return Set.of(alone);
      }
    }
    if (service) {
      return Set.of();
    }
    return held.contains(Roles.APPROVER)
        ? Stream.concat(held.stream(), Roles.approvers().stream()).collect(Collectors.toSet())
        : held;
  }
}
