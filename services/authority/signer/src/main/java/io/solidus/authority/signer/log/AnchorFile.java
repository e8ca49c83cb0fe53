package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The anchor file: a copy of the sign-log's head outside both the log and the database. Rolled back
 * together, those two agree with each other; only a copy that was not rolled back can show it. So
 * the file belongs on a volume that no snapshot or backup restores together with either.
 *
 * <p>It has two slots, written in turn: label 8 bytes, sequence u64, head 32, SHA-256 over these. A
 * crash can damage the slot being written, whose signatures then never left. The other slot holds
 * the position before.
 */
final class AnchorFile implements AutoCloseable {

  private static final String WHAT = "the anchor file";
  private static final byte[] LABEL = "slanchr1".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_BYTES = Digest32.BYTES;
  private static final int CONTENT_BYTES = LABEL.length + Long.BYTES + HEAD_BYTES;
  private static final int SLOT_BYTES = CONTENT_BYTES + HEAD_BYTES;

  /** The distance of the slots; no sector of a disk holds parts of both. */
  private static final int SLOT_DISTANCE = 4096;

  private static final int SLOTS = 2;

  private final Path path;
  private final DurableFiles.Opener opener;
  private final boolean missing;
  private @Nullable FileChannel channel;
  private @Nullable LogPosition position;
  private int nextSlot;

  private AnchorFile(Path path, DurableFiles.Opener opener, boolean missing) {
    this.path = path;
    this.opener = opener;
    this.missing = missing;
  }

  /**
   * Opens the file.
   *
   * @throws LogDamagedException when no slot is valid
   */
  static AnchorFile open(Path path) throws IOException {
    return open(path, DurableFiles.OF_THE_FILE_SYSTEM);
  }

  static AnchorFile open(Path path, DurableFiles.Opener opener) throws IOException {
    boolean missing = Files.notExists(path);
    AnchorFile file = new AnchorFile(path, opener, missing);
    try {
      if (!missing && Files.size(path) > 0) {
        file.attach();
      }
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
    return file;
  }

  /** The anchored position; empty before {@link #moveTo}. */
  Optional<LogPosition> position() {
    return Optional.ofNullable(position);
  }

  /**
   * Requires that the file may be missing. It may only for a log without records, because its
   * volume may not be mounted. To begin an anchor for a log with records, a person creates an empty
   * file and so confirms the log as it is now.
   */
  void requireMayBegin(LogPosition end) {
    if (missing && end.sequence() > 0) {
      throw new LogDamagedException(
          "the anchor file is missing beside a sign-log of "
              + end.sequence()
              + " records; is its volume mounted? "
              + "To begin with one, put an empty file there");
    }
  }

  /**
   * Creates the anchor where the file is missing or empty, and moves it to {@code end} where it is
   * behind.
   */
  void moveTo(LogPosition end) throws IOException {
    if (position == null) {
      begin(end);
    } else if (!position.equals(end)) {
      advance(end);
    }
  }

  /** Creates the file atomically. */
  private void begin(LogPosition at) throws IOException {
    DurableFiles.replace(
        path,
        opener,
        WHAT,
        out -> {
          for (int slot = 0; slot < SLOTS; slot++) {
            write(out, slot, at);
          }
        });
    attach();
  }

  /**
   * Moves the anchor; durable when this returns. After a failure the stored state is unknown, and
   * nothing more may be signed.
   */
  void advance(LogPosition to) throws IOException {
    FileChannel out = Objects.requireNonNull(channel, "the anchor file has no anchor yet");
    write(out, nextSlot, to);
    DurableFiles.force(out, false, WHAT);
    position = to;
    nextSlot = 1 - nextSlot;
  }

  /** As {@link SignLogFile#sync}. */
  void sync() throws IOException {
    if (channel != null) {
      DurableFiles.force(channel, true, WHAT);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  private void attach() throws IOException {
    FileChannel opened = opener.open(path);
    channel = opened;
    DurableFiles.lock(opened, path);
    LogPosition[] found = new LogPosition[SLOTS];
    for (int slot = 0; slot < SLOTS; slot++) {
      found[slot] = read(opened, slot).orElse(null);
    }
    int newest =
        IntStream.range(0, SLOTS)
            .boxed()
            .filter(slot -> found[slot] != null)
            .max(Comparator.comparingLong(slot -> found[slot].sequence()))
            .orElseThrow(() -> new LogDamagedException("the anchor file holds no whole anchor"));
    position = found[newest];
    nextSlot = 1 - newest;
  }

  private static void write(FileChannel out, int slot, LogPosition at) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SLOT_BYTES);
    bytes.put(LABEL).putLong(at.sequence()).put(at.head().bytes());
    bytes.put(sum(bytes).bytes()).flip();
    long offset = (long) slot * SLOT_DISTANCE;
    while (bytes.hasRemaining()) {
      offset += out.write(bytes, offset);
    }
  }

  private static Optional<LogPosition> read(FileChannel in, int slot) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SLOT_BYTES);
    long offset = (long) slot * SLOT_DISTANCE;
    while (bytes.hasRemaining()) {
      int read = in.read(bytes, offset + bytes.position());
      if (read < 0) {
        return Optional.empty();
      }
    }
    bytes.flip();
    byte[] label = take(bytes, LABEL.length);
    LogPosition at = new LogPosition(bytes.getLong(), new Digest32(take(bytes, HEAD_BYTES)));
    Digest32 sum = new Digest32(take(bytes, HEAD_BYTES));
    boolean whole = Arrays.equals(label, LABEL) && sum(bytes).equals(sum);
    return whole ? Optional.of(at) : Optional.empty();
  }

  private static Digest32 sum(ByteBuffer slot) {
    byte[] content = new byte[CONTENT_BYTES];
    slot.get(0, content);
    return Digest32.sha256(content);
  }

  private static byte[] take(ByteBuffer in, int n) {
    byte[] bytes = new byte[n];
    in.get(bytes);
    return bytes;
  }
}
