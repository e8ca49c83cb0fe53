package io.solidus.operator.console.people;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A case as the registration shows it; fields of a newer registration may be absent. */
record CaseFile(
    String caseId,
    String status,
    @Nullable String bank,
    @Nullable String personId,
    @Nullable String kind,
    @Nullable Person person,
    @Nullable Organisation organisation,
    String apk,
    List<Match> matches,
    List<Screening> screenings,
    @Nullable String refusalCode,
    @Nullable String reason,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    Instant createdAt,
    List<Event> events,
    List<Duplicate> duplicates,
    boolean duplicatesCut,
    List<Change> changes,
    List<String> documents,
    @Nullable Claim claim,
    @Nullable String standing,
    @Nullable List<Step> steps,
    @Nullable Integer registrations,
    @Nullable List<Approval> approvals,
    @Nullable Instant erasedAt) {

  /** A person's details; those of an erased case are empty. */
  record Person(
      String givenName,
      String familyName,
      @Nullable String birthDate,
      @Nullable String nationality,
      String documentNumber,
      @Nullable String latinName) {

    String fullName() {
      return givenName + " " + familyName;
    }
  }

  /** An organisation's details. */
  record Organisation(
      String legalName,
      @Nullable String latinName,
      String legalForm,
      String register,
      String registrationNumber,
      String country,
      String founded,
      @Nullable String lei,
      boolean noOtherOwner,
      List<Member> people) {

    /** The people, one a line, as the form of a change has them. */
    public String lines() {
      return people.stream().map(OrganisationForm::line).collect(Collectors.joining("\n"));
    }
  }

  /** Who owns or represents an organisation. */
  record Member(Person person, @Nullable BigDecimal sharePercent, boolean representative) {

    /** What she owns. */
    public String share() {
      return sharePercent == null ? "–" : sharePercent.stripTrailingZeros().toPlainString() + " %";
    }

    String words() {
      String latin = person.latinName() == null ? "" : " (" + person.latinName() + ")";
      return String.join(
          ", ",
          person.fullName() + latin,
          "born " + person.birthDate(),
          person.nationality(),
          "document " + person.documentNumber(),
          sharePercent == null ? "no share" : share(),
          representative ? "represents it" : "does not represent it");
    }
  }

  /** What one of the two officers said who approve an organisation. */
  record Approval(String officer, String reason, Instant at, @Nullable Boolean expired) {}

  /**
   * A match with a list.
   *
   * @param concerns whom of an organisation it is about; null of a person
   * @param concernsBorn when she was born or it was founded; tells apart who has one name
   * @param open null when the registration does not say: then it is open without a disposition
   */
  record Match(
      String list,
      String reference,
      @Nullable String name,
      double score,
      @Nullable String birthYear,
      String key,
      String entryDigest,
      @Nullable List<Explanation> explanation,
      @Nullable String concerns,
      @Nullable String concernsBorn,
      @Nullable Disposition disposition,
      boolean needsTwo,
      @Nullable Boolean open) {

    /** Why the names are alike, part by part. */
    public List<Explanation> names() {
      return explanation == null
          ? List.of()
          : explanation.stream().filter(line -> line.part().equals("name")).toList();
    }

    /** What else speaks for or against the match. */
    public List<Explanation> evidence() {
      return explanation == null
          ? List.of()
          : explanation.stream().filter(line -> !line.part().equals("name")).toList();
    }

    /** Whether the match stands in the way of an approval. */
    public boolean stands() {
      return open == null
          ? disposition == null || disposition.verdict().equals("true-match")
          : open;
    }

    /** Whether another person has to confirm what one has said. */
    public boolean waitsForConfirmation() {
      return needsTwo
          && disposition != null
          && disposition.verdict().equals("false-positive")
          && disposition.confirmedBy() == null;
    }
  }

  /** A line of an explanation. */
  record Explanation(String part, String asked, String listed, String how, double value) {}

  /** What an officer found out about a match. */
  record Disposition(
      String verdict, String reason, String officer, Instant at, @Nullable String confirmedBy) {}

  /** A screening and its basis. */
  record Screening(
      Instant at, String lists, String matcher, double threshold, String verdict, int matches) {}

  /** What happened, and by whom. */
  record Event(Instant at, String actor, String action) {}

  /**
   * Another case that may be of the same person.
   *
   * @param caseId null when it is of another bank, whose files the reader does not see
   */
  record Duplicate(
      @Nullable String caseId,
      boolean acrossBanks,
      boolean waits,
      boolean sameDocument,
      double likeness,
      @Nullable String verdict,
      List<Opinion> opinions) {}

  /** What one officer thinks of a possible duplicate. */
  record Opinion(
      String officer, String verdict, String reason, Instant at, @Nullable Boolean expired) {}

  /** New details of a person. */
  record Change(
      String changeId,
      @Nullable Person person,
      @Nullable Organisation organisation,
      String reason,
      String proposedBy,
      Instant proposedAt,
      @Nullable String verdict,
      @Nullable String decidedBy) {

    public Details details() {
      return new Details(person, organisation);
    }
  }

  /** Who works on the case. */
  record Claim(String officer, @Nullable Instant until) {}

  /** A step that suspends, resumes, closes or erases. */
  record Step(
      String stepId,
      String kind,
      @Nullable String cause,
      String reason,
      String proposedBy,
      Instant proposedAt,
      @Nullable String verdict,
      @Nullable String decidedBy) {}

  public Details details() {
    return new Details(person, organisation);
  }

  /** Whether the case is of an organisation; that of an erased one has no more than its kind. */
  public boolean ofOrganisation() {
    return organisation != null || "organisation".equals(kind);
  }

  public boolean isDecided() {
    return status.equals("approved") || status.equals("refused");
  }

  /** Whether two people can erase the case, when the bank need not keep it any longer. */
  public boolean canBeErased() {
    return erasedAt == null && (status.equals("refused") || "closed".equals(standing));
  }

  /** The possible duplicates whose files the reader may compare. */
  public long comparable() {
    return duplicates.stream().filter(other -> other.caseId() != null).count();
  }

  /** Those of them on which nobody has decided. */
  public long open() {
    return duplicates.stream()
        .filter(other -> other.caseId() != null && other.verdict() == null)
        .count();
  }

  /**
   * The possible duplicates at other banks, of which the reader sees nothing, and on which the
   * centre has not decided.
   */
  public long hidden() {
    return duplicates.stream()
        .filter(other -> other.caseId() == null && other.verdict() == null)
        .count();
  }

  public long openMatches() {
    return matches.stream().filter(Match::stands).count();
  }

  @Override
  public String toString() {
    return "CaseFile[" + caseId + "]";
  }
}
