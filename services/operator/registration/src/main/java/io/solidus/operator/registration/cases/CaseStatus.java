package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import java.util.Arrays;

/** The status of a case. A decided case never changes again. */
public enum CaseStatus {
  /** There is no screening answer yet. */
  PENDING_SCREENING("pending-screening"),
  /** Screened without a match; an operator decides. */
  PENDING("pending"),
  /** Screened with a match; an operator decides and must give a reason to approve. */
  REVIEW("review"),
  /** Screened; perhaps of a person with an earlier case, on which two officers decide first. */
  POSSIBLE_DUPLICATE("possible-duplicate"),
  APPROVED("approved"),
  REFUSED("refused");

  private final String id;

  CaseStatus(String id) {
    this.id = id;
  }

  /** The status in the API and the database. */
  public String id() {
    return id;
  }

  /**
   * The status that the applicant sees. Until the decision it is the same for everybody: "review"
   * would tell her of a match, and "possible-duplicate" that somebody is a customer.
   */
  public String publicId() {
    return this == APPROVED || this == REFUSED ? id : PENDING.id;
  }

  /**
   * Finds a status by its id.
   *
   * @throws ProtocolException malformed-request when there is none
   */
  public static CaseStatus of(String id) {
    return Arrays.stream(values())
        .filter(status -> status.id.equals(id))
        .findFirst()
        .orElseThrow(() -> ProtocolException.malformed("there is no such status"));
  }
}
