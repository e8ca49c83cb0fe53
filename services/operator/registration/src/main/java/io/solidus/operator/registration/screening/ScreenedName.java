package io.solidus.operator.registration.screening;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Organisation;
import io.solidus.operator.registration.person.Person;
import io.solidus.protocol.Digest32;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A name as the sanctions service is asked for it.
 *
 * @param birthDate yyyy-mm-dd; null of an organisation
 * @param nationality ISO 3166-1 alpha-2; of an organisation the country of its seat
 * @param entities whether listed organisations count too; null for no
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ScreenedName(
    String fullName,
    @Nullable String latinName,
    @Nullable String birthDate,
    String nationality,
    List<String> documentNumbers,
    @Nullable Boolean entities) {
  private static final int ID_CHARS = 32;

  /** Everybody to screen of an applicant: of an organisation itself and who is behind it. */
  static List<ScreenedName> of(Applicant applicant) {
    return switch (applicant) {
      case Person person -> List.of(of(person));
      case Organisation body ->
          Stream.concat(
                  Stream.of(of(body)), body.people().stream().map(member -> of(member.person())))
              .toList();
    };
  }

  private static ScreenedName of(Person person) {
    return new ScreenedName(
        person.fullName(),
        person.latinName(),
        person.birthDate().toString(),
        person.nationality(),
        List.of(person.documentNumber()),
        null);
  }

  private static ScreenedName of(Organisation body) {
    return new ScreenedName(
        body.legalName(),
        body.latinName(),
        null,
        body.country(),
        Stream.of(body.registrationNumber(), body.lei()).filter(Objects::nonNull).toList(),
        true);
  }

  /** When the organisation was founded, or who is behind it was born, whose name has this id. */
  static @Nullable LocalDate born(Organisation body, String id) {
    if (of(body).id().equals(id)) {
      return body.founded();
    }
    return body.people().stream()
        .map(Organisation.Member::person)
        .filter(person -> of(person).id().equals(id))
        .map(Person::birthDate)
        .findFirst()
        .orElse(null);
  }

  /** Another one for other details. */
  String id() {
    return Digest32.sha256(
            String.join(
                    "\n",
                    fullName,
                    String.valueOf(latinName),
                    String.valueOf(birthDate),
                    nationality,
                    String.join(",", documentNumbers))
                .getBytes(StandardCharsets.UTF_8))
        .hex()
        .substring(0, ID_CHARS);
  }

  /**
   * Applicants in as many calls as their names need; those of one applicant are in one call, so
   * that they are compared with the same lists.
   *
   * @param max names in one call
   */
  static List<List<Applicant>> calls(List<? extends Applicant> applicants, int max) {
    List<List<Applicant>> calls = new ArrayList<>();
    int room = 0;
    for (Applicant applicant : applicants) {
      int names = of(applicant).size();
      if (names > room) {
        calls.add(new ArrayList<>());
        room = max;
      }
      calls.getLast().add(applicant);
      room -= names;
    }
    return calls;
  }

  @Override
  public String toString() {
    return "ScreenedName[redacted]";
  }
}
