package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Organisation;
import io.solidus.operator.registration.person.Person;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An organisation, as the applicant entered the data or two officers changed them.
 *
 * @param country of its seat
 * @param lei legal entity identifier
 * @param noOtherOwner whether it says that nobody else holds as much as has to be named
 * @param people its owners and representatives
 */
public record OrganisationView(
    String legalName,
    @Nullable String latinName,
    String legalForm,
    String register,
    String registrationNumber,
    String country,
    LocalDate founded,
    @Nullable String lei,
    boolean noOtherOwner,
    List<MemberView> people) {

  /**
   * Who owns or represents it.
   *
   * @param sharePercent null when she owns nothing
   */
  public record MemberView(
      CaseFile.PersonView person, @Nullable BigDecimal sharePercent, boolean representative) {

    @Override
    public String toString() {
      return "MemberView[redacted]";
    }
  }

  /** Null of a person. */
  static @Nullable OrganisationView of(Applicant applicant) {
    return of(applicant, null);
  }

  /**
   * Null of a person.
   *
   * @param member whom alone of the people to show; null for all
   */
  static @Nullable OrganisationView of(Applicant applicant, @Nullable Person member) {
    return applicant instanceof Organisation body
        ? new OrganisationView(
            body.legalName(),
            body.latinName(),
            body.legalForm(),
            body.register(),
            body.registrationNumber(),
            body.country(),
            body.founded(),
            body.lei(),
            body.noOtherOwner(),
            body.people().stream()
                .filter(each -> member == null || each.person().isLike(member))
                .map(each ->
                    new MemberView(
                        CaseFile.PersonView.of(each.person()),
                        each.sharePercent(),
                        each.representative()))
                .toList())
        : null;
  }

  @Override
  public String toString() {
    return "OrganisationView[redacted]";
  }
}
