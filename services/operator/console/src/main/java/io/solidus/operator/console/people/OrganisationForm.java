package io.solidus.operator.console.people;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An organisation's details in a form, where each line is one of the people behind it. */
final class OrganisationForm {
  private static final String NONE = "-";
  private static final String SEPARATOR = ";";
  private static final Set<String> YES_OR_NO = Set.of("yes", "no");
  private static final List<String> FIELDS =
      List.of("legalName", "legalForm", "register", "registrationNumber", "country", "founded");
  private static final List<String> PERSON =
      List.of("givenName", "familyName", "birthDate", "nationality", "documentNumber");

  private OrganisationForm() {}

  /** A semicolon in a value would begin another one, so it is written as a comma. */
  static String line(CaseFile.Member member) {
    CaseFile.Person person = member.person();
    return Stream.of(
            person.givenName(),
            person.familyName(),
            String.valueOf(person.birthDate()),
            String.valueOf(person.nationality()),
            person.documentNumber(),
            member.sharePercent() == null
                ? NONE
                : member.sharePercent().stripTrailingZeros().toPlainString(),
            member.representative() ? "yes" : "no",
            person.latinName() == null ? NONE : person.latinName())
        .map(value -> value.replace(SEPARATOR, ","))
        .collect(Collectors.joining(SEPARATOR + " "));
  }

  /** What makes a line of the people unreadable, in words; empty when each can be read. */
  static Optional<String> mistake(Map<String, String> form) {
    List<String> lines = lines(form).toList();
    for (int i = 0; i < lines.size(); i++) {
      List<String> parts = parts(lines.get(i));
      int represents = PERSON.size() + 1;
      if (parts.size() != represents + 1 && parts.size() != represents + 2) {
        return Optional.of(
            "Person "
                + (i + 1)
                + " has "
                + parts.size()
                + " values between semicolons instead of 7 or 8."
                + " A name or number with a semicolon is written with a comma.");
      }
      if (!YES_OR_NO.contains(parts.get(represents).toLowerCase(Locale.ROOT))) {
        return Optional.of(
            "Write yes or no for whether person " + (i + 1) + " represents the organisation.");
      }
    }
    return Optional.empty();
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
    body.put("people", lines(form).map(OrganisationForm::member).toList());
    return body;
  }

  private static Stream<String> lines(Map<String, String> form) {
    return form.getOrDefault("people", "").lines().filter(line -> !line.isBlank());
  }

  private static List<String> parts(String line) {
    return Arrays.stream(line.split(SEPARATOR, -1)).map(String::strip).toList();
  }

  private static Map<String, Object> member(String line) {
    List<String> parts = parts(line);
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
