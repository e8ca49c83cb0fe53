package io.solidus.operator.registration.wallet;

import static io.solidus.wire.json.Fields.required;

import io.solidus.operator.registration.person.Person;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The applicant's personal data.
 *
 * @param birthDate yyyy-mm-dd
 * @param nationality ISO 3166-1, two or three letters
 * @param documentNumber of the passport or identity card
 * @param latinName the whole name as the document writes it in Latin letters; for names in another
 *     script
 */
public record PersonJson(
    @Member(min = 1, max = 100) @Nullable String givenName,
    @Member(min = 1, max = 100) @Nullable String familyName,
    @Member(min = 10, max = 10, format = "date") @Nullable String birthDate,
    @Member(min = 2, max = 3) @Nullable String nationality,
    @Member(min = 1, max = 40) @Nullable String documentNumber,
    @Member(min = 1, max = 200, optional = true) @Nullable String latinName) {

  /**
   * Reads the person.
   *
   * @throws ProtocolException malformed-request
   */
  public Person toDomain() {
    return new Person(
        required(givenName, "givenName"),
        required(familyName, "familyName"),
        date(required(birthDate, "birthDate"), "birthDate"),
        required(nationality, "nationality"),
        required(documentNumber, "documentNumber"),
        latinName);
  }

  static LocalDate date(String text, String field) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      throw ProtocolException.malformed(field + " is not a date (yyyy-mm-dd)");
    }
  }

  @Override
  public String toString() {
    return "PersonJson[redacted]";
  }
}
