package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import java.util.ArrayList;
import java.util.List;

/** Counts accepted and malformed entries and refuses a file that is not credible. */
final class ParseTally {
  /** A hundred times the entries of the largest published list. */
  static final int MAX_ENTRIES = 1_000_000;

  private static final int REPORTED_POSITIONS = 20;

  private final EntrySink sink;
  private final List<Integer> malformedAt = new ArrayList<>();
  private int entries;
  private int names;
  private int malformed;

  ParseTally(EntrySink sink) {
    this.sink = sink;
  }

  void accept(ListedEntry entry) throws ListRefusedException {
    if (++entries > MAX_ENTRIES) {
      throw new ListRefusedException(
          Reason.TOO_LARGE, "the file has more than " + MAX_ENTRIES + " entries");
    }
    names += entry.names().size() + entry.weakNames().size();
    sink.accept(entry);
  }

  /**
   * Counts a malformed entry.
   *
   * @param position the number of the row or the entry, from 1
   */
  void malformed(int position) throws ListRefusedException {
    malformed++;
    if (malformedAt.size() < REPORTED_POSITIONS) {
      malformedAt.add(position);
    }
    if (malformed > MAX_ENTRIES) {
      throw new ListRefusedException(
          Reason.TOO_MANY_MALFORMED, "nearly all entries of the file are malformed");
    }
  }

  int accepted() {
    return entries;
  }

  /**
   * The result of the whole file.
   *
   * @param published the date that the file states, or empty
   * @param complete whether the file ended with its format's end
   */
  ParseReport finish(String published, boolean complete) throws ListRefusedException {
    if (entries == 0) {
      throw new ListRefusedException(
          Reason.NOT_THIS_FORMAT, "the file has no entry of this list's format");
    }
    long rows = (long) entries + malformed;
    if (malformed >= entries) {
      throw new ListRefusedException(
          Reason.TOO_MANY_MALFORMED,
          malformed + " of " + rows + " entries are malformed, the first at " + malformedAt);
    }
    return new ParseReport(entries, names, malformed, malformedAt, published, complete);
  }
}
