package io.solidus.operator.registration.cases;

/** The case's state does not allow this decision. */
public final class CaseConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason of a conflict. */
  public enum Kind {
    /** The opposite decision was made, which is final. */
    DECIDED_OTHERWISE("decision-conflict", false, "the case already has the opposite decision"),
    /** There is no screening yet, or none can be made now. */
    NOT_SCREENED("screening-pending", true, "the case waits for its screening"),
    /** The service has screened against newer lists, and there is something to look at. */
    SCREENING_OUTDATED(
        "screening-outdated", false, "the lists are newer than the screening; look again"),
    /** Somebody has to say of each match whether it is the person. */
    MATCHES_OPEN("matches-open", false, "a match has no disposition as a false positive"),
    /** The newest screening has no such match with this content. */
    MATCH_CHANGED("match-changed", false, "the newest screening has no such match"),
    /** Two officers have not decided yet whether the person is registered already. */
    POSSIBLE_DUPLICATE(
        "possible-duplicate", false, "two officers first decide on the possible duplicates"),
    /** Only details of a registered person are changed. */
    NOT_APPROVED("not-approved", false, "the case is not approved"),
    /** A closed registration stays as it is. */
    REGISTRATION_CLOSED("registration-closed", false, "the registration is closed"),
    /** Who did not lose her phrase has her registration. */
    PHRASE_NOT_LOST(
        "phrase-not-lost",
        false,
        "the earlier registration is not closed because of a lost phrase"),
    /** Two people list the earlier address at the sanctions service. */
    ADDRESS_NOT_REPLACED(
        "address-not-replaced", false, "the earlier address is not listed as replaced"),
    /** Validators do not know of it yet. */
    ADDRESS_UNPUBLISHED(
        "address-unpublished", true, "the newest checkpoint has not the earlier address"),
    /** Two addresses would have the limits of one period. */
    ADDRESS_IN_PERIOD(
        "address-in-period",
        false,
        "payments with the earlier address count in this policy period; approve in the next one"),
    /** Nobody says whether the earlier address is replaced. */
    REPLACEMENT_UNKNOWN(
        "replacement-unknown", true, "the sanctions service does not answer; try again soon"),
    /** Changes are decided one by one. */
    CHANGE_WAITS("change-waits", false, "another change of this person waits for its decision"),
    /** Two people are needed. */
    SAME_PERSON("same-person", false, "this needs another person"),
    /** Steps are decided one by one. */
    STEP_WAITS("step-waits", false, "another step of this registration waits for its decision"),
    /** Only a registered person is suspended, only a suspended one resumed, nobody closed again. */
    STEP_IMPOSSIBLE("step-impossible", false, "the registration does not stand so"),
    /** Nothing is added to what was erased. */
    ERASED("case-erased", false, "the case is erased"),
    /** The bank has to keep the case, or has not said for how long. */
    RETENTION_UNMET("retention-unmet", false, "the time for which the case is kept is not over"),
    /** Another officer works on the case. */
    CLAIMED("claimed", false, "another officer has claimed the case; it can be taken over"),
    /** Confirmed already, decided otherwise, or too long ago. */
    NOTHING_TO_CONFIRM(
        "nothing-to-confirm", false, "no false positive of another officer waits for this match"),
    /** An officer's verdict is final too. */
    VERDICT_GIVEN("verdict-given", false, "this officer has given another verdict");

    private final String code;
    private final boolean retryable;
    private final String detail;

    Kind(String code, boolean retryable, String detail) {
      this.code = code;
      this.retryable = retryable;
      this.detail = detail;
    }

    /** The stable code of the API, in kebab case. */
    public String code() {
      return code;
    }

    public boolean retryable() {
      return retryable;
    }

    public String detail() {
      return detail;
    }
  }

  private final Kind kind;

  CaseConflictException(Kind kind) {
    super(kind.detail());
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
