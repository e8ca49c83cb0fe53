package io.solidus.operator.sanctions.screening;

import io.solidus.operator.names.TokenMatch;
import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import java.util.List;

/**
 * A listed entry that may be the screened person.
 *
 * @param name the listed name that matched
 * @param weakAlias whether the publisher marks that name as a weak alias
 * @param likeness of the names alone, 0 to 1
 * @param score of all evidence, 0 to 1
 * @param digest of the entry's content, hexadecimal
 * @param tokens why the names are alike
 * @param evidence what else raised or lowered the score
 */
record Match(
    ListId list,
    String reference,
    EntryKind kind,
    String name,
    boolean weakAlias,
    double likeness,
    double score,
    BirthAgreement birth,
    String digest,
    List<TokenMatch> tokens,
    List<Evidence> evidence) {

  /**
   * What one piece of evidence does to the score.
   *
   * @param kind birth-date, document, nationality or gender
   * @param says how it agrees
   * @param effect what it adds
   */
  record Evidence(String kind, String says, double effect) {}
}
