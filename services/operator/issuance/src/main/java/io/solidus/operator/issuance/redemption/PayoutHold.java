package io.solidus.operator.issuance.redemption;

import java.util.Locale;

/** Why a payout cannot go into a batch. The id is a stable part of the API. */
enum PayoutHold {
  /** Nobody has looked yet. */
  UNEXAMINED,
  /** It can. */
  NONE,
  /** The account is no valid IBAN. */
  IBAN_INVALID,
  /** The payee's bank is not configured, and a member of a settlement system has to name it. */
  AGENT_UNKNOWN,
  /** The payee's name matches a sanction list or cannot be read, and two persons have to look. */
  SCREENING;

  /** The id in the API and the database, in kebab case. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static PayoutHold of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
