package io.solidus.operator.console.frame;

import io.solidus.operator.console.login.Person;
import io.solidus.platform.security.Roles;
import java.util.Collections;
import java.util.Set;

/**
 * A link in the navigation.
 *
 * @param section its heading in the navigation
 * @param order of entries and, by their first entry, of sections
 * @param roles that see it; an auditor sees all; empty: everybody does
 * @param central whether it is for the centre's staff alone, because no service opens it to a
 *     bank's
 */
public record NavEntry(
    String section, int order, String title, String path, Set<String> roles, boolean central) {
  public NavEntry {
    roles = Set.copyOf(roles);
  }

  /** An entry for the staff of the centre and of banks. */
  public NavEntry(String section, int order, String title, String path, Set<String> roles) {
    this(section, order, title, path, roles, false);
  }

  /** The same, for the centre's staff alone. */
  public NavEntry forCentre() {
    return new NavEntry(section, order, title, path, roles, true);
  }

  /** Whether somebody sees the entry. */
  public boolean isFor(Person person) {
    Set<String> held = person.roles();
    return (person.isOfCentre() || !central)
        && (roles.isEmpty() || held.contains(Roles.AUDITOR) || !Collections.disjoint(roles, held));
  }
}
