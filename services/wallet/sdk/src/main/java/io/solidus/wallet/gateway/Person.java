package io.solidus.wallet.gateway;

import java.time.LocalDate;

/**
 * The person who registers. The wallet sends these details to the registration service once and
 * does not store them.
 *
 * @param nationality ISO 3166-1 alpha-2
 * @param documentNumber number of the person's identity document
 */
public record Person(
    String givenName,
    String familyName,
    LocalDate birthDate,
    String nationality,
    String documentNumber) {
  @Override
  public String toString() {
    return "Person[redacted]";
  }
}
