package io.solidus.operator.sanctions.list;

import java.util.List;

/**
 * What became of a file.
 *
 * @param entries accepted
 * @param names accepted, aliases included
 * @param malformed left out because they could not be understood
 * @param malformedAt where the first of them are: row numbers of a CSV file, positions of the entry
 *     in an XML file
 * @param published the date the file states about itself, or empty
 */
public record ParseReport(
    int entries, int names, int malformed, List<Integer> malformedAt, String published) {
  public ParseReport {
    malformedAt = List.copyOf(malformedAt);
  }
}
