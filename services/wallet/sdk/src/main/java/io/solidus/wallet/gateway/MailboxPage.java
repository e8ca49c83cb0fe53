package io.solidus.wallet.gateway;

import io.solidus.protocol.Digest32;
import io.solidus.wallet.model.MailboxCursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A range of the mailbox.
 *
 * @param entries in the order of their numbers
 * @param at digest of the message after which the range begins; empty when the mailbox has none
 * @param next the place behind what the reader has with this page; empty where it was before
 */
public record MailboxPage(
    List<Entry> entries, Optional<Digest32> at, Optional<MailboxCursor> next) {
  private static final byte VERSION = 1;
  private static final int BLOB_BYTES = 1200;
  private static final int HEAD_BYTES = 1 + Digest32.BYTES + Long.BYTES + Digest32.BYTES;
  private static final int RECORD_BYTES = Long.BYTES + BLOB_BYTES;
  private static final Digest32 NONE = Digest32.of(new byte[Digest32.BYTES]);

  public MailboxPage {
    entries = List.copyOf(entries);
  }

  /** A range whose last message is the reader's next place. */
  MailboxPage(List<Entry> entries, Optional<Digest32> at) {
    this(
        entries,
        at,
        entries.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new MailboxCursor(
                    entries.getLast().sequence(), Digest32.sha256(entries.getLast().blob()))));
  }

  /** The most octets of a bucket's page. */
  static int maxBytes(int limit) {
    return HEAD_BYTES + limit * RECORD_BYTES;
  }

  /**
   * Reads a page of a bucket. It may reach further than its last message, which is no reason to
   * believe it: the digest there has to be that of the mailbox when the wallet reads on.
   *
   * @throws IllegalArgumentException for octets that are no such page
   */
  static MailboxPage ofBucket(byte[] octets, long after, int limit) {
    int records = (octets.length - HEAD_BYTES) / RECORD_BYTES;
    if (octets.length < HEAD_BYTES || octets.length != HEAD_BYTES + records * RECORD_BYTES) {
      throw new IllegalArgumentException("a page of a bucket has another length");
    }
    ByteBuffer in = ByteBuffer.wrap(octets);
    if (in.get() != VERSION) {
      throw new IllegalArgumentException("a page of a bucket has another version");
    }
    Digest32 at = digest(in);
    long next = in.getLong();
    Digest32 digest = digest(in);
    List<Entry> entries = new ArrayList<>(records);
    for (int i = 0; i < records; i++) {
      long sequence = in.getLong();
      byte[] blob = new byte[BLOB_BYTES];
      in.get(blob);
      entries.add(new Entry(sequence, blob));
    }
    MailboxPage page =
        new MailboxPage(
            entries,
            Optional.of(at).filter(known -> !known.equals(NONE)),
            next == after ? Optional.empty() : Optional.of(new MailboxCursor(next, digest)));
    long last = entries.isEmpty() ? after : entries.getLast().sequence();
    return page.requireRange(after, limit, records < limit && next > last ? last : next);
  }

  private static Digest32 digest(ByteBuffer in) {
    byte[] bytes = new byte[Digest32.BYTES];
    in.get(bytes);
    return Digest32.of(bytes);
  }

  /** One sealed blob of 1200 bytes; only its addressee can open it. */
  public record Entry(long sequence, byte[] blob) {}

  /** Whether the range has this blob. */
  public boolean has(byte[] blob) {
    return entries.stream().anyMatch(entry -> Arrays.equals(entry.blob(), blob));
  }

  /**
   * Requires what an honest mailbox answers: at most {@code limit} messages with numbers above
   * {@code after} that grow, and the last one of them as the place to go on from. Otherwise one
   * answer could push the reader past messages that it has not read.
   */
  MailboxPage requireRange(long after, int limit, long next) {
    long last = after;
    for (Entry entry : entries) {
      if (entry.sequence() <= last) {
        throw new IllegalArgumentException("the numbers of the mailbox's messages do not grow");
      }
      last = entry.sequence();
    }
    if (entries.size() > limit || next != last) {
      throw new IllegalArgumentException("the page of the mailbox does not end where it says");
    }
    return this;
  }
}
