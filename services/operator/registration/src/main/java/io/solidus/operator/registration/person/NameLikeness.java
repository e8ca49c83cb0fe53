package io.solidus.operator.registration.person;

import io.solidus.operator.names.NameMatcher;
import io.solidus.operator.names.NameReading;

/** Says whether the names of two persons may be one person's. */
public final class NameLikeness {
  private NameLikeness() {}

  /**
   * How alike the names are, 0 to 1. A name that cannot be compared is like every other, because
   * only people can then tell the two apart.
   */
  public static double of(Person one, Person other) {
    if (joined(one).equals(joined(other)) || !readable(one) || !readable(other)) {
      return 1;
    }
    return NameMatcher.likeness(one.fullName(), other.fullName());
  }

  public static boolean isAlike(double likeness) {
    return likeness >= NameMatcher.DEFAULT_THRESHOLD;
  }

  /** Spaces and hyphens do not count, which a matcher of words cannot know. */
  private static String joined(Person person) {
    return IdentityText.name(person.fullName());
  }

  private static boolean readable(Person person) {
    return NameReading.read(person.fullName()).outcome() == NameReading.Outcome.READABLE;
  }
}
