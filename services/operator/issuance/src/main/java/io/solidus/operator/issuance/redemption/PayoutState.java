package io.solidus.operator.issuance.redemption;

import io.solidus.protocol.ProtocolException;
import java.util.Locale;

/** What became of a payout. */
public enum PayoutState {
  /** Owed, and not with the bank. */
  ACCEPTED,
  /** The bank has it and has not booked it. */
  SENT,
  /** The bank booked it. */
  SETTLED,
  /** The bank refused it; the money is owed again. */
  FAILED,
  /** The payee's bank sent the money back; it is owed again. */
  RETURNED;

  /** The stable id in the API and the database. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the state of an id.
   *
   * @throws ProtocolException malformed-request
   */
  static PayoutState of(String id) {
    for (PayoutState state : values()) {
      if (state.id().equals(id)) {
        return state;
      }
    }
    throw ProtocolException.malformed(
        "a payout's state is accepted, sent, settled, failed or returned");
  }

  /** Whether a payout goes from this state to another. The database refuses the rest, too. */
  boolean leadsTo(PayoutState next) {
    return switch (this) {
      case ACCEPTED -> next == SENT;
      case SENT -> next == SETTLED || next == FAILED;
      case SETTLED -> next == RETURNED;
      case FAILED, RETURNED -> next == ACCEPTED;
    };
  }
}
