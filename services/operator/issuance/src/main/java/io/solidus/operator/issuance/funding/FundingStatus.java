package io.solidus.operator.issuance.funding;

import io.solidus.protocol.ProtocolException;
import java.util.Locale;

/** The status of a funding. */
enum FundingStatus {
  /** Mints can still reserve a part of it. */
  OPEN("NOT reversed AND reserved_minor < amount_minor"),
  /** Its whole value is reserved or issued. */
  USED("NOT reversed AND reserved_minor = amount_minor"),
  /** It was taken back. */
  REVERSED("reversed");

  private final String condition;

  FundingStatus(String condition) {
    this.condition = condition;
  }

  /** The stable id in the API. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The condition on the table's columns. */
  String condition() {
    return condition;
  }

  static FundingStatus of(String id) {
    for (FundingStatus status : values()) {
      if (status.id().equals(id)) {
        return status;
      }
    }
    throw ProtocolException.malformed("a funding's status is open, used or reversed");
  }
}
