package io.solidus.operator.console.people;

import org.jspecify.annotations.Nullable;

/** Who is in a list; an older registration says no kind and no whole name. */
interface ListedName {
  @Nullable String kind();

  @Nullable String name();

  @Nullable String givenName();

  @Nullable String familyName();

  /** Whether it is an organisation. */
  default boolean organisation() {
    return "organisation".equals(kind());
  }

  /** The whole name. */
  default String shownName() {
    String whole = name();
    if (whole != null) {
      return whole;
    }
    return givenName() == null ? "(erased)" : (givenName() + " " + familyName()).strip();
  }
}
