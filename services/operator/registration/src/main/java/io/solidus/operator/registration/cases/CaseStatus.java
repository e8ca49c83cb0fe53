package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import java.util.Arrays;

/** Where a case stands. A decided case never changes again. */
public enum CaseStatus {
  /** Nobody has said yet whether the person is listed. */
  PENDING_SCREENING("pending-screening"),
  /** Screened without a match; an operator decides. */
  PENDING("pending"),
  /** The name is like a listed one; an operator decides and says why. */
  REVIEW("review"),
  APPROVED("approved"),
  REFUSED("refused");

  private final String id;

  CaseStatus(String id) {
    this.id = id;
  }

  /** As it stands in the API and the database. */
  public String id() {
    return id;
  }

  /**
   * @throws ProtocolException malformed-request
   */
  public static CaseStatus of(String id) {
    return Arrays.stream(values())
        .filter(status -> status.id.equals(id))
        .findFirst()
        .orElseThrow(() -> ProtocolException.malformed("there is no such status"));
  }
}
