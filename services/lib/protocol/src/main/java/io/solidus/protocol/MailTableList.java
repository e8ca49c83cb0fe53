package io.solidus.protocol;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The states of all buckets at a time, as the text of a note that authorities countersign. So one
 * list fixes every table up to that time.
 *
 * @param closed Unix time in seconds
 * @param states of the buckets that have a table, by their numbers; see {@link MailTable#after}
 */
@Spec("F-52")
public record MailTableList(long closed, SortedMap<Integer, MailState> states) {
  private static final String KIND = "mail-tables";
  private static final String BUCKET = "bucket-";

  /**
   * @throws ProtocolException malformed-request for a number out of range
   */
  public MailTableList {
    states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
    long last = closed;
    boolean known =
        states.isEmpty() || (states.firstKey() >= 1 && states.lastKey() <= MailboxBucket.MAX);
    if (closed < 1
        || !known
        || states.values().stream().anyMatch(each -> each.closed() < 1 || each.closed() > last)) {
      throw ProtocolException.malformed("a list of mail tables is out of range");
    }
  }

  /** The state of a bucket; {@link MailState#NONE} for one without a table. */
  public MailState state(MailboxBucket bucket) {
    return states.getOrDefault(bucket.number(), MailState.NONE);
  }

  /** The list after the tables of a later time, one for a bucket at most. */
  public MailTableList with(long later, Iterable<MailTable> tables) {
    SortedMap<Integer, MailState> next = new TreeMap<>(states);
    tables.forEach(table -> next.put(table.bucket().number(), table.after(state(table.bucket()))));
    return new MailTableList(later, next);
  }

  public String toNoteText(NetworkId network) {
    NoteText.Writer note = NoteText.write(KIND, network).line("closed", closed);
    for (Map.Entry<Integer, MailState> each : states.entrySet()) {
      MailState state = each.getValue();
      note.line(BUCKET + each.getKey(), state.closed() + " " + state.digest().hex());
    }
    return note.text();
  }

  /**
   * Reads the text of a note.
   *
   * @throws ProtocolException malformed-request, unknown-version, wrong-network
   */
  public static MailTableList parse(NetworkId network, String text) {
    NoteText.Reader in = NoteText.read(KIND, network, text);
    long closed = in.number("closed");
    SortedMap<Integer, MailState> states = new TreeMap<>();
    for (int bucket = 1; bucket <= MailboxBucket.MAX; bucket++) {
      if (in.has(BUCKET + bucket)) {
        states.put(bucket, state(in.string(BUCKET + bucket)));
      }
    }
    in.end();
    MailTableList list = new MailTableList(closed, states);
    if (!list.toNoteText(network).equals(text)) {
      throw ProtocolException.malformed("a list of mail tables is not in its one form");
    }
    return list;
  }

  private static MailState state(String text) {
    String[] parts = text.split(" ", -1);
    try {
      if (parts.length == 2) {
        return new MailState(Long.parseLong(parts[0]), Digest32.fromHex(parts[1]));
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw ProtocolException.malformed("a bucket's state is a time and a digest");
  }
}
