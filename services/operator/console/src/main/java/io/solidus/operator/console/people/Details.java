package io.solidus.operator.console.people;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The details of a person or of an organisation, field by field. */
record Details(CaseFile.@Nullable Person person, CaseFile.@Nullable Organisation organisation) {

  private static final String ERASED = "(erased)";

  /** A field and its value. */
  record Fact(String field, String value) {}

  /** A field of two; empty where one has none. */
  record Row(String field, String before, String after) {}

  /** The whole name. */
  public String title() {
    if (organisation != null) {
      return organisation.legalName();
    }
    return person == null ? ERASED : person.fullName().strip();
  }

  /** What the file says first. */
  public List<Fact> facts() {
    List<Fact> facts = new ArrayList<>();
    if (organisation != null) {
      add(facts, "Legal name", organisation.legalName());
      add(facts, "In Latin letters", organisation.latinName());
      add(facts, "Legal form", organisation.legalForm());
      add(facts, "Register", organisation.register());
      add(facts, "Number in the register", organisation.registrationNumber());
      add(facts, "Country of its seat", organisation.country());
      add(facts, "Founded", organisation.founded());
      add(facts, "LEI", organisation.lei());
      add(facts, "Says that nobody else holds as much", organisation.noOtherOwner() ? "yes" : "no");
    } else if (person != null) {
      add(facts, "Given name", person.givenName());
      add(facts, "Family name", person.familyName());
      add(facts, "In Latin letters", person.latinName());
      add(facts, "Born", person.birthDate());
      add(facts, "Nationality", person.nationality());
      add(facts, "Document", person.documentNumber());
    }
    return facts;
  }

  private static void add(List<Fact> facts, String field, @Nullable String value) {
    if (value != null && !value.isEmpty()) { // erased details are empty
      facts.add(new Fact(field, value));
    }
  }

  /** Each field of both, the people behind an organisation included. */
  public List<Row> beside(Details other) {
    List<Fact> own = all();
    List<Fact> others = other.all();
    List<String> fields = new ArrayList<>(own.stream().map(Fact::field).toList());
    others.stream().map(Fact::field).filter(field -> !fields.contains(field)).forEach(fields::add);
    return fields.stream()
        .map(field -> new Row(field, value(own, field), value(others, field)))
        .toList();
  }

  private List<Fact> all() {
    List<Fact> all = new ArrayList<>(facts());
    if (organisation != null) {
      for (CaseFile.Member member : organisation.people()) {
        all.add(new Fact("Person " + (all.size() - facts().size() + 1), member.words()));
      }
    }
    return all;
  }

  private static String value(List<Fact> facts, String field) {
    return facts.stream()
        .filter(fact -> fact.field().equals(field))
        .map(Fact::value)
        .findFirst()
        .orElse("");
  }

  /**
   * Whom a match is about; of an organisation itself or who is behind it. Where the name fits
   * several of them, the name alone: whose data stands beside the entry must be certain.
   */
  public Details concerned(CaseFile.Match match) {
    String name = match.concerns();
    if (organisation == null || name == null) {
      return this;
    }
    List<Details> named =
        Stream.concat(
                Stream.of(this).filter(own -> name.equals(own.title())),
                organisation.people().stream()
                    .map(CaseFile.Member::person)
                    .filter(each -> name.equals(each.fullName()))
                    .map(each -> new Details(each, null)))
            .filter(
                each -> match.concernsBorn() == null || match.concernsBorn().equals(each.born()))
            .toList();
    return named.size() == 1
        ? named.getFirst()
        : new Details(new CaseFile.Person(name, "", match.concernsBorn(), null, "–", null), null);
  }

  /** The birth date, or the date of founding. */
  public String born() {
    if (organisation != null) {
      return organisation.founded();
    }
    return person == null || person.birthDate() == null ? "–" : person.birthDate();
  }

  /** What the applicant says where a match has evidence of this kind. */
  public String said(String part) {
    return switch (part) {
      case "document" ->
          organisation != null
              ? organisation.registrationNumber()
              : person == null ? "–" : person.documentNumber();
      case "nationality" ->
          organisation != null
              ? organisation.country()
              : person == null || person.nationality() == null ? "–" : person.nationality();
      case "birth-date" -> born();
      default -> "–";
    };
  }

  @Override
  public String toString() {
    return "Details[redacted]";
  }
}
