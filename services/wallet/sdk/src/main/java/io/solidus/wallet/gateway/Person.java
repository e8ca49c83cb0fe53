package io.solidus.wallet.gateway;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The person who registers. The wallet sends these details to the registration service once and
 * does not store them.
 *
 * @param nationality ISO 3166-1 alpha-2
 * @param documentNumber number of the person's identity document
 * @param bank id of the bank whose customer she becomes; null where there is one bank
 */
public record Person(
    String givenName,
    String familyName,
    LocalDate birthDate,
    String nationality,
    String documentNumber,
    @Nullable String bank)
    implements Applicant {

  /** A person of a platform with one bank. */
  public Person(
      String givenName,
      String familyName,
      LocalDate birthDate,
      String nationality,
      String documentNumber) {
    this(givenName, familyName, birthDate, nationality, documentNumber, null);
  }

  @Override
  public String toString() {
    return "Person[redacted]";
  }
}
