package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Organisation;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A listed entry with a name similar to the screened person's name, or another reason why people
 * have to look.
 *
 * @param list a sanction list, {@link #REFUSED} for an earlier case of this service, {@link
 *     #UNREADABLE} for a name that cannot be compared, or {@link #MORE} for matches that the answer
 *     does not contain
 * @param reference the entry's number in its list, or the id of the earlier case
 * @param name the listed name
 * @param score similarity of the names, 0 to 1
 * @param birthYear how the year of birth compares, as the sanctions service reports it
 * @param key of the entry, stable over versions of the list
 * @param entryDigest hash of the entry's content; another content needs another disposition
 * @param explanation how the score came about, as the sanctions service tells it
 * @param concerns the name of the organisation, or of who is behind it, that matches; null of a
 *     person
 */
public record ScreeningMatch(
    String list,
    String reference,
    @Nullable String name,
    double score,
    @Nullable String birthYear,
    @Nullable String key,
    @Nullable String entryDigest,
    @Nullable JsonNode explanation,
    @Nullable String concerns) {
  public static final String REFUSED = "refused-registrations";
  public static final String UNREADABLE = "unreadable-name";
  public static final String MORE = "more-matches";

  /** A reason to look that is no listed entry. */
  public static ScreeningMatch reason(String list, String reference) {
    return new ScreeningMatch(list, reference, null, 1.0, null, null, null, null, null);
  }

  /** A reason to look that counts for one basis: newer lists may have other entries behind it. */
  public static ScreeningMatch reason(String list, String reference, ScreeningBasis basis) {
    return new ScreeningMatch(
        list, reference, null, 1.0, null, null, basis.digest().hex(), null, null);
  }

  /** The match of one of several names, with a key of its own. */
  ScreeningMatch concerning(ScreenedName screened) {
    return new ScreeningMatch(
        list,
        reference,
        name,
        score,
        birthYear,
        stableKey() + "/" + screened.id(),
        entryDigest,
        explanation,
        screened.fullName());
  }

  /**
   * When whom it concerns was born or founded, so that two of one name can be told apart; null of a
   * person, and of who is not behind the organisation any more.
   */
  public @Nullable LocalDate concernsBorn(Applicant applicant) {
    return concerns != null && applicant instanceof Organisation body
        ? ScreenedName.born(body, stableKey().substring(stableKey().lastIndexOf('/') + 1))
        : null;
  }

  /** The key; screenings from before there were keys have the entry's number. */
  public String stableKey() {
    return key == null ? list + "/" + reference : key;
  }

  /** The digest; without one the listed name stands for the entry's content. */
  public String contentDigest() {
    return entryDigest == null ? Objects.toString(name, "") : entryDigest;
  }

  @Override
  public String toString() {
    return "ScreeningMatch[redacted]";
  }
}
