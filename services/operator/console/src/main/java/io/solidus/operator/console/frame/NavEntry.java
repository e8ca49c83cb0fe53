package io.solidus.operator.console.frame;

import io.solidus.platform.security.Roles;
import java.util.Collections;
import java.util.Set;

/**
 * A link in the navigation.
 *
 * @param section its heading in the navigation
 * @param order of entries and, by their first entry, of sections
 * @param roles that see it; an auditor sees all; empty: everybody does
 */
public record NavEntry(String section, int order, String title, String path, Set<String> roles) {
  public NavEntry {
    roles = Set.copyOf(roles);
  }

  /** Whether somebody with these roles sees the entry. */
  public boolean isFor(Set<String> held) {
    return roles.isEmpty() || held.contains(Roles.AUDITOR) || !Collections.disjoint(roles, held);
  }
}
