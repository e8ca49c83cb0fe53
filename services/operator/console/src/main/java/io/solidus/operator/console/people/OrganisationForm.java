package io.solidus.operator.console.people;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An organisation's details in a form, where each line is one of the people behind it. */
final class OrganisationForm {
  private static final String NONE = "-";
  private static final List<String> FIELDS =
      List.of("legalName", "legalForm", "register", "registrationNumber", "country", "founded");
  private static final List<String> PERSON =
      List.of("givenName", "familyName", "birthDate", "nationality", "documentNumber");

  private OrganisationForm() {}

  static String line(CaseFile.Member member) {
    CaseFile.Person person = member.person();
    return String.join(
        "; ",
        person.givenName(),
        person.familyName(),
        person.birthDate(),
        person.nationality(),
        person.documentNumber(),
        member.sharePercent() == null
            ? NONE
            : member.sharePercent().stripTrailingZeros().toPlainString(),
        member.representative() ? "yes" : "no",
        person.latinName() == null ? NONE : person.latinName());
  }

  /** The body for the registration, which says what is wrong with it. */
  static Map<String, Object> body(Map<String, String> form) {
    Map<String, Object> body = new HashMap<>();
    FIELDS.forEach(field -> body.put(field, form.getOrDefault(field, "").strip()));
    for (String field : List.of("latinName", "lei")) {
      String value = form.getOrDefault(field, "").strip();
      if (!value.isEmpty()) {
        body.put(field, value);
      }
    }
    body.put("noOtherOwner", form.containsKey("noOtherOwner"));
    body.put(
        "people",
        form.getOrDefault("people", "")
            .lines()
            .filter(line -> !line.isBlank())
            .map(OrganisationForm::member)
            .toList());
    return body;
  }

  private static Map<String, Object> member(String line) {
    List<String> parts = new ArrayList<>();
    for (String part : line.split(";", -1)) {
      parts.add(part.strip());
    }
    Map<String, Object> person = new HashMap<>();
    for (int i = 0; i < PERSON.size() && i < parts.size(); i++) {
      person.put(PERSON.get(i), parts.get(i));
    }
    int at = PERSON.size();
    String share = part(parts, at);
    String latin = part(parts, at + 2);
    if (latin != null) {
      person.put("latinName", latin);
    }
    Map<String, Object> member = new HashMap<>();
    member.put("person", person);
    if (share != null) {
      member.put("sharePercent", share);
    }
    member.put("representative", "yes".equalsIgnoreCase(part(parts, at + 1)));
    return member;
  }

  private static @Nullable String part(List<String> parts, int at) {
    return parts.size() <= at || parts.get(at).isEmpty() || parts.get(at).equals(NONE)
        ? null
        : parts.get(at);
  }
}
