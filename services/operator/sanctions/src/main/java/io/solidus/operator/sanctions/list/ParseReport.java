package io.solidus.operator.sanctions.list;

import java.util.List;

/**
 * The result of parsing a file.
 *
 * @param entries how many entries were accepted
 * @param names how many names the accepted entries have, aliases included
 * @param malformed how many entries were skipped as malformed
 * @param malformedAt where the first malformed entries are: row numbers in a CSV file, positions of
 *     the entry in an XML file
 * @param published the date that the file states, or empty
 * @param complete whether the file ends with its format's end; a CSV file ends with the end-of-file
 *     mark of CP/M
 */
public record ParseReport(
    int entries,
    int names,
    int malformed,
    List<Integer> malformedAt,
    String published,
    boolean complete) {
  public ParseReport {
    malformedAt = List.copyOf(malformedAt);
  }
}
