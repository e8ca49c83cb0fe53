package io.solidus.operator.issuance.mint;

import io.solidus.protocol.ProtocolException;

/** The status of a mint. */
enum MintStatus {
  AWAITING_APPROVAL("awaiting-approval"),
  APPROVED("approved"),
  REFUSED("refused");

  private final String id;

  MintStatus(String id) {
    this.id = id;
  }

  /** The stable id in the API and the database, in kebab case. */
  String id() {
    return id;
  }

  static MintStatus of(String id) {
    for (MintStatus status : values()) {
      if (status.id.equals(id)) {
        return status;
      }
    }
    throw ProtocolException.malformed(
        "a mint's status must be awaiting-approval, approved or refused");
  }
}
