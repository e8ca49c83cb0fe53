package io.solidus.operator.registration.wallet;

import static io.solidus.wire.json.Fields.required;

import io.solidus.operator.registration.person.Organisation;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A company, association or public body.
 *
 * @param latinName the whole name in Latin letters; for a name in another script
 * @param legalForm free text or a code
 * @param register where it is registered
 * @param registrationNumber in the register
 * @param country of the seat, ISO 3166-1, two or three letters
 * @param founded yyyy-mm-dd
 * @param lei legal entity identifier (ISO 17442); may be absent
 * @param noOtherOwner whether nobody but the people named holds as much as the platform's
 *     ownerThresholdPercent; absent for no
 * @param people its owners and representatives, 1 to 20, one representative at least
 */
public record OrganisationJson(
    @Member(min = 1, max = 200) @Nullable String legalName,
    @Member(min = 1, max = 200, optional = true) @Nullable String latinName,
    @Member(min = 1, max = 100) @Nullable String legalForm,
    @Member(min = 1, max = 100) @Nullable String register,
    @Member(min = 1, max = 40) @Nullable String registrationNumber,
    @Member(min = 2, max = 3) @Nullable String country,
    @Member(min = 10, max = 10, format = "date") @Nullable String founded,
    @Member(min = 20, max = 20, optional = true) @Nullable String lei,
    @Member(optional = true) @Nullable Boolean noOtherOwner,
    @Member(min = 1, max = 20) @Nullable List<@Nullable MemberJson> people) {

  /**
   * A natural person who owns or represents it.
   *
   * @param sharePercent above 0 to 100, with two decimals at most; absent when she owns nothing
   * @param representative whether she represents or directs it; absent for no
   */
  public record MemberJson(
      @Member @Nullable PersonJson person,
      @Member(min = 0, max = 100, optional = true) @Nullable BigDecimal sharePercent,
      @Member(optional = true) @Nullable Boolean representative) {

    private Organisation.Member toDomain() {
      return new Organisation.Member(
          required(person, "person").toDomain(), sharePercent, Boolean.TRUE.equals(representative));
    }

    @Override
    public String toString() {
      return "MemberJson[redacted]";
    }
  }

  /**
   * Reads the organisation.
   *
   * @throws ProtocolException malformed-request
   */
  Organisation toDomain() {
    List<@Nullable MemberJson> listed = required(people, "people");
    if (listed.size() > Organisation.MAX_PEOPLE) {
      throw ProtocolException.malformed("people has 1 to " + Organisation.MAX_PEOPLE + " elements");
    }
    return new Organisation(
        required(legalName, "legalName"),
        latinName,
        required(legalForm, "legalForm"),
        required(register, "register"),
        required(registrationNumber, "registrationNumber"),
        required(country, "country"),
        PersonJson.date(required(founded, "founded"), "founded"),
        lei,
        Boolean.TRUE.equals(noOtherOwner),
        listed.stream().map(member -> required(member, "people").toDomain()).toList());
  }

  @Override
  public String toString() {
    return "OrganisationJson[redacted]";
  }
}
