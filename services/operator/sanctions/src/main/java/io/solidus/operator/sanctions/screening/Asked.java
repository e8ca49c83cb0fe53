package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.EntryKind;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The person who is screened.
 *
 * @param names as she is called, in any script; also in Latin letters where her document has them
 * @param nationality ISO 3166 code of two letters, or empty
 * @param gender "male", "female" or empty
 * @param documents numbers of her documents
 * @param kinds of entries that count
 */
record Asked(
    List<String> names,
    @Nullable LocalDate birthDate,
    String nationality,
    String gender,
    List<String> documents,
    Set<EntryKind> kinds) {
  static Asked person(String name, @Nullable LocalDate birthDate) {
    return new Asked(List.of(name), birthDate, "", "", List.of(), Set.of(EntryKind.INDIVIDUAL));
  }
}
