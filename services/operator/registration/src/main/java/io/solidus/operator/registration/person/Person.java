package io.solidus.operator.registration.person;

import io.solidus.protocol.ProtocolException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * The applicant's personal data. Only the format is checked. {@code toString} is redacted, so that
 * logs never contain it.
 *
 * @param nationality ISO 3166-1 alpha-2
 * @param latinName the whole name as the document writes it in Latin letters; null when the names
 *     are in Latin letters
 */
public record Person(
    String givenName,
    String familyName,
    LocalDate birthDate,
    String nationality,
    String documentNumber,
    @Nullable String latinName)
    implements Applicant {
  public static final String KIND = "person";

  private static final int MAX_NAME_CHARS = 100;
  private static final int MAX_LATIN_NAME_CHARS = 200;
  private static final int MAX_DOCUMENT_CHARS = 40;
  private static final LocalDate FIRST_BIRTH_DATE = LocalDate.of(1890, 1, 1);

  /** Stands for a person whose details were erased. No view shows its birth date or country. */
  public static final Person ERASED =
      new Person("(erased)", "(erased)", LocalDate.of(1900, 1, 1), "AQ", "(erased)");

  public Person {
    requireText(givenName, MAX_NAME_CHARS, "givenName");
    requireText(familyName, MAX_NAME_CHARS, "familyName");
    requireText(documentNumber, MAX_DOCUMENT_CHARS, "documentNumber");
    if (latinName != null) {
      requireText(latinName, MAX_LATIN_NAME_CHARS, "latinName");
      IdentityText.name(latinName);
    }
    if (birthDate.isBefore(FIRST_BIRTH_DATE)) {
      throw ProtocolException.malformed("the birth date is out of range");
    }
    nationality = Country.alpha2(nationality);
  }

  /** A person whose names are in Latin letters. */
  public Person(
      String givenName,
      String familyName,
      LocalDate birthDate,
      String nationality,
      String documentNumber) {
    this(givenName, familyName, birthDate, nationality, documentNumber, null);
  }

  @Override
  public Person requireBornBy(LocalDate today) {
    if (birthDate.isAfter(today)) {
      throw ProtocolException.malformed("the birth date is out of range");
    }
    return this;
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public boolean isErased() {
    return this == ERASED;
  }

  /**
   * Whether this is the number of the document, however it is written.
   *
   * @throws ProtocolException malformed-request when it is none
   */
  public boolean hasDocument(String number) {
    return IdentityText.documentNumber(documentNumber).equals(IdentityText.documentNumber(number));
  }

  /** Whether both have the same document, or the same names and birth date. */
  public boolean isLike(Person other) {
    return (nationality.equals(other.nationality) && hasDocument(other.documentNumber))
        || (birthDate.equals(other.birthDate)
            && IdentityText.name(givenName).equals(IdentityText.name(other.givenName))
            && IdentityText.name(familyName).equals(IdentityText.name(other.familyName)));
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String fullName() {
    return isErased() ? givenName : givenName + " " + familyName;
  }

  static void requireText(String value, int maxChars, String field) {
    boolean control = value.codePoints().anyMatch(Person::isControl);
    if (value.isBlank() || value.length() > maxChars || control) {
      throw ProtocolException.malformed(
          "the field '" + field + "' is empty, too long or has control characters");
    }
  }

  private static boolean isControl(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.CONTROL || type == Character.SURROGATE || type == Character.UNASSIGNED;
  }

  @Override
  public String toString() {
    return "Person[redacted]";
  }
}
