package io.solidus.wallet.gateway;

import java.time.LocalDate;

/**
 * Who registers, for the registration service alone. The wallet sends it once and keeps none of it.
 *
 * @param nationality ISO 3166-1 alpha-2
 * @param documentNumber of the identity document shown
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
