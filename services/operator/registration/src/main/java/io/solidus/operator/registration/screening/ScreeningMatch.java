package io.solidus.operator.registration.screening;

import org.jspecify.annotations.Nullable;

/**
 * A listed entry with a name similar to the screened person's name.
 *
 * @param list "un", "ofac", or "refused-registrations" for an earlier case of this service
 * @param reference the entry's number in its list, or the id of the earlier case
 * @param name the listed name
 * @param score similarity of the names, 0 to 1
 * @param birthYear how the year of birth compares, as the sanctions service reports it
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
