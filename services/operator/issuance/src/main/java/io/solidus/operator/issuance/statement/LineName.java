package io.solidus.operator.issuance.statement;

import java.util.Locale;

/** What a line of a statement is. The id is a stable part of the API. */
enum LineName {
  /** The money of a funding that an operator recorded. */
  FUNDING(false),
  /** A payout that the bank made. */
  SETTLED(false),
  /** A payout that came back. */
  RETURNED(false),
  /** Money that nothing explains; it is in suspense. */
  UNKNOWN_CREDIT(true),
  /** Money left for no reason in the books; it is a claim. */
  UNKNOWN_DEBIT(true),
  /** The line names a funding or a payout of another amount. */
  AMOUNT_DIFFERS(true),
  /** The line names a funding whose money came before. */
  DUPLICATE_FUNDING(true),
  /** The line names a payout that the bank had made before, or that came back before. */
  DUPLICATE_PAYMENT(true),
  /** Money came back of a payout that the bank has not booked yet. */
  EARLY_RETURN(true),
  /** The line names a payout that was not with the bank. */
  UNEXPECTED_PAYMENT(true);

  private final boolean difference;

  LineName(boolean difference) {
    this.difference = difference;
  }

  /** Whether a person has to look. */
  boolean isDifference() {
    return difference;
  }

  /** The id in the API and the database, in kebab case. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
