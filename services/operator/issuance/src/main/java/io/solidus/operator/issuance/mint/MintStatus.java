package io.solidus.operator.issuance.mint;

import io.solidus.protocol.ProtocolException;

/** Where a mint stands. */
enum MintStatus {
  AWAITING_APPROVAL("awaiting-approval"),
  APPROVED("approved"),
  REFUSED("refused");

  private final String id;

  MintStatus(String id) {
    this.id = id;
  }

  /** Stable, kebab case. */
  String id() {
    return id;
  }

  static MintStatus of(String id) {
    for (MintStatus status : values()) {
      if (status.id.equals(id)) {
        return status;
      }
    }
    throw ProtocolException.malformed("a mint's status is awaiting-approval, approved or refused");
  }
}
