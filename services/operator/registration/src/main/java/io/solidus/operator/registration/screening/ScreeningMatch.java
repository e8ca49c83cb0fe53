package io.solidus.operator.registration.screening;

import org.jspecify.annotations.Nullable;

/**
 * A listed entry whose name looks like the screened person's.
 *
 * @param list "un", "ofac"; "refused-registrations" for an earlier case here, which its reference
 *     names
 * @param reference the list's own number of the entry
 * @param name the listed name
 * @param score likeness of the names, 0 to 1
 * @param birthYear how the year of birth compares, in the sanctions service's words
 */
public record ScreeningMatch(
    String list,
    String reference,
    @Nullable String name,
    double score,
    @Nullable String birthYear) {

  @Override
  public String toString() {
    return "ScreeningMatch[redacted]";
  }
}
