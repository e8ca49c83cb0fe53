package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;

/**
 * A listed entry with a name similar to the screened name.
 *
 * @param name the listed name that matched
 * @param weakAlias whether the publisher marks that name as a weak alias
 * @param score likeness of the names alone, 0 to 1
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
