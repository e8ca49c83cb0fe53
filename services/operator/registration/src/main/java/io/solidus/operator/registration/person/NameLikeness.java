package io.solidus.operator.registration.person;

import io.solidus.operator.names.NameMatcher;
import io.solidus.operator.names.NameReading;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Says whether the names of two persons may be one person's. */
public final class NameLikeness {
  /** Of names beside another birth date: two mistakes are rarer than two persons. */
  private static final double NEAR_DATE_THRESHOLD = 0.95;

  private NameLikeness() {}

  /**
   * How alike the names are, 0 to 1. A name that cannot be read is compared by its Latin spelling;
   * without one it is like an equal name only, and people look at it because its screening says
   * that it cannot be read.
   */
  public static double of(Applicant one, Applicant other) {
    if (!one.kind().equals(other.kind())) {
      return 0;
    }
    if (IdentityText.name(one.fullName()).equals(IdentityText.name(other.fullName()))) {
      return 1;
    }
    double best = 0;
    for (String name : readable(one)) {
      for (String otherName : readable(other)) {
        best =
            Math.max(
                best,
                one instanceof Organisation
                    ? of(name, otherName)
                    : NameMatcher.likeness(name, otherName));
      }
    }
    return best;
  }

  /**
   * Whether people have to look.
   *
   * @param nearBirthDate whether the birth dates differ by a mistake
   */
  public static boolean isAlike(double likeness, boolean nearBirthDate) {
    return likeness >= (nearBirthDate ? NEAR_DATE_THRESHOLD : NameMatcher.DEFAULT_THRESHOLD);
  }

  /** How alike two names are, 0 to 1; spaces and hyphens do not count. */
  public static double of(String name, String otherName) {
    return IdentityText.name(name).equals(IdentityText.name(otherName))
        ? 1
        : NameMatcher.likeness(name, otherName);
  }

  /** How alike a name is to an organisation's, with or without its legal form. */
  public static double likeName(String name, Organisation body) {
    return Stream.of(body.legalName(), body.latinName())
        .filter(Objects::nonNull)
        .mapToDouble(
            each -> of(OrganisationName.distinctive(name), OrganisationName.distinctive(each)))
        .max()
        .orElse(0);
  }

  private static List<String> readable(Applicant person) {
    return Stream.of(person.fullName(), person.latinName())
        .filter(name -> name != null && !name.isBlank())
        .filter(name -> NameReading.read(name).outcome() == NameReading.Outcome.READABLE)
        .map(name -> person instanceof Organisation ? OrganisationName.distinctive(name) : name)
        .toList();
  }
}
