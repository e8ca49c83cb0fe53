package io.solidus.operator.registration.person;

import io.solidus.protocol.ProtocolException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A company, association or public body, and who is behind it. Only the format is checked. {@code
 * toString} is redacted.
 *
 * @param latinName of a legal name in another script
 * @param legalForm free text or a code
 * @param register where it is registered
 * @param registrationNumber in the register
 * @param country of the seat, ISO 3166-1 alpha-2
 * @param lei legal entity identifier (ISO 17442); null without one
 * @param noOtherOwner whether it says that nobody else holds as much as has to be named
 * @param people its owners and representatives, 1 to 20
 */
public record Organisation(
    String legalName,
    @Nullable String latinName,
    String legalForm,
    String register,
    String registrationNumber,
    String country,
    LocalDate founded,
    @Nullable String lei,
    boolean noOtherOwner,
    List<Member> people)
    implements Applicant {
  public static final String KIND = "organisation";

  /** The most owners and representatives. */
  public static final int MAX_PEOPLE = 20;

  private static final int MAX_NAME_CHARS = 200;
  private static final int MAX_TEXT_CHARS = 100;
  private static final int MAX_NUMBER_CHARS = 40;
  private static final int MAX_DECIMALS = 2;
  private static final BigDecimal WHOLE = BigDecimal.valueOf(100);
  private static final LocalDate FIRST_FOUNDED = LocalDate.of(1000, 1, 1);

  public Organisation {
    Person.requireText(legalName, MAX_NAME_CHARS, "legalName");
    IdentityText.name(legalName);
    if (latinName != null) {
      Person.requireText(latinName, MAX_NAME_CHARS, "latinName");
      IdentityText.name(latinName);
    }
    Person.requireText(legalForm, MAX_TEXT_CHARS, "legalForm");
    Person.requireText(register, MAX_TEXT_CHARS, "register");
    Person.requireText(registrationNumber, MAX_NUMBER_CHARS, "registrationNumber");
    IdentityText.registrationNumber(registrationNumber);
    country = Country.alpha2(country, "country");
    if (founded.isBefore(FIRST_FOUNDED)) {
      throw ProtocolException.malformed("the date of founding is out of range");
    }
    lei = lei == null ? null : Lei.require(lei);
    people = List.copyOf(people);
    requirePeople(people);
  }

  /**
   * A natural person behind the organisation.
   *
   * @param sharePercent of what she owns, above 0 to 100 with two decimals at most; null when she
   *     owns nothing
   * @param representative whether she represents or directs it
   */
  public record Member(Person person, @Nullable BigDecimal sharePercent, boolean representative) {

    public Member {
      if (sharePercent == null && !representative) {
        throw ProtocolException.malformed(
            "whoever is behind an organisation owns or represents it");
      }
      if (sharePercent != null) {
        // compared before it is scaled: 1e999999999 has a billion digits
        if (sharePercent.signum() <= 0
            || sharePercent.compareTo(WHOLE) > 0
            || sharePercent.scale() > MAX_DECIMALS) {
          throw ProtocolException.malformed(
              "sharePercent is above 0, at most 100, and has two decimals at most");
        }
        sharePercent = sharePercent.setScale(MAX_DECIMALS);
      }
    }

    @Override
    public String toString() {
      return "Member[redacted]";
    }
  }

  private static void requirePeople(List<Member> people) {
    if (people.isEmpty() || people.size() > MAX_PEOPLE) {
      throw ProtocolException.malformed("people has 1 to " + MAX_PEOPLE + " elements");
    }
    if (people.stream().noneMatch(Member::representative)) {
      throw ProtocolException.malformed("an organisation needs a representative");
    }
    if (held(people).compareTo(WHOLE) > 0) {
      throw ProtocolException.malformed("the owners hold more than 100 percent");
    }
    Set<List<String>> seen = new HashSet<>();
    for (Member member : people) {
      Person person = member.person();
      String number = IdentityText.documentNumber(person.documentNumber());
      boolean fresh = seen.add(List.of(person.nationality(), number));
      fresh &=
          seen.add(
              List.of(
                  IdentityText.name(person.givenName()),
                  IdentityText.name(person.familyName()),
                  person.birthDate().toString()));
      if (!fresh) {
        throw ProtocolException.malformed("people names somebody twice");
      }
    }
  }

  private static BigDecimal held(List<Member> people) {
    return people.stream()
        .map(Member::sharePercent)
        .filter(Objects::nonNull)
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /**
   * Checks that everybody who holds as much as this is named.
   *
   * @throws ProtocolException malformed-request when somebody else may hold as much, and the
   *     organisation does not say that nobody does
   */
  public Organisation requireOwners(int thresholdPercent) {
    BigDecimal others = WHOLE.subtract(held(people));
    if (!noOtherOwner && others.compareTo(BigDecimal.valueOf(thresholdPercent)) >= 0) {
      throw ProtocolException.malformed(
          "people names every owner of "
              + thresholdPercent
              + " percent or more, or noOtherOwner says that nobody else holds as much");
    }
    return this;
  }

  @Override
  public Organisation requireBornBy(LocalDate today) {
    if (founded.isAfter(today)) {
      throw ProtocolException.malformed("the date of founding is out of range");
    }
    people.forEach(member -> member.person().requireBornBy(today));
    return this;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String fullName() {
    return legalName;
  }

  @Override
  public String documentNumber() {
    return registrationNumber;
  }

  @Override
  public String toString() {
    return "Organisation[redacted]";
  }
}
