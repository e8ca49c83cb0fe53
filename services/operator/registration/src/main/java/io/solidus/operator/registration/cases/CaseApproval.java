package io.solidus.operator.registration.cases;

import java.time.Instant;

/** An officer's approval of an organisation, which needs another officer's too. */
public record CaseApproval(String officer, String reason, Instant at) {

  @Override
  public String toString() {
    return "CaseApproval[redacted]";
  }
}
