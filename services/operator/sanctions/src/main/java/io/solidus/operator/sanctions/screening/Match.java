package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;

/**
 * A listed entry whose best name is like the name asked for.
 *
 * @param name the listed name that matched
 * @param weakAlias whether the publisher calls that name a weak alias
 * @param score 0 to 1, of the names alone
 */
record Match(
    ListId list,
    String reference,
    EntryKind kind,
    String name,
    boolean weakAlias,
    double score,
    BirthYearAgreement birthYear) {

  double rank() {
    return score + birthYear.bonus();
  }
}
