package io.solidus.operator.registration.cases;

import java.time.Instant;

/**
 * An officer's approval of an organisation, which needs another officer's too.
 *
 * @param expired whether no second one came in time; it counts no more
 */
public record CaseApproval(String officer, String reason, Instant at, boolean expired) {

  @Override
  public String toString() {
    return "CaseApproval[redacted]";
  }
}
