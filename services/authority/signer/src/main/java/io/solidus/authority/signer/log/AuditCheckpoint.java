package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoint of the audit: up to which record the log and the tables were compared, so that the
 * next start compares only what follows. It is a file beside the log, where nobody who has only the
 * database can write. An older one only makes a start longer. A file that is damaged, of another
 * log or of other tables is not used.
 *
 * <p>The file: label 8 bytes, genesis of the log 32, compared mark, swept mark, lines of {@link
 * ComparedTables} in UTF-8, SHA-256 over these. A mark: sequence u64, head 32, offset u64. It is
 * replaced as a whole. A failed write is only logged: it costs time at the next start.
 *
 * <p>Thread-safe.
 */
final class AuditCheckpoint {

  /**
   * What the file says.
   *
   * @param compared every record before it was compared with the tables
   * @param swept every record before it was compared again since the last sweep began
   * @param tables the lines of the tables that were compared
   */
  record Content(Mark compared, Mark swept, Set<String> tables) {}

  /** The file is missing or cannot be used. */
  static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String reason) {
      super(reason);
    }
  }

  private static final Logger log = LoggerFactory.getLogger(AuditCheckpoint.class);
  private static final byte[] LABEL = "slaudit1".getBytes(StandardCharsets.US_ASCII);
  private static final String WHAT = "the checkpoint of the audit";

  /** The most bytes of a file: the lines of some ten thousand shards. */
  private static final int MAX_BYTES = 1 << 20;

  private final Path path;
  private final Mark beginning;

  /** What was written last. */
  private Content content;

  private boolean removed;

  /**
   * Makes a checkpoint that says nothing yet.
   *
   * @param signLog the log that the file is beside
   */
  AuditCheckpoint(Path signLog, LogPosition genesis) {
    this.path = signLog.resolveSibling(signLog.getFileName() + ".audited");
    this.beginning = Mark.beginningOf(genesis);
    this.content = new Content(beginning, beginning, Set.of());
  }

  /**
   * Reads the file.
   *
   * @throws UnusableException with the reason why the file says nothing about this log
   */
  Content read() throws UnusableException {
    byte[] bytes;
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new UnusableException("it is too long");
      }
      bytes = Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw new UnusableException("there is none");
    } catch (IOException e) {
      throw new UnusableException("it cannot be read");
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes, 0, bytes.length - Digest32.BYTES);
      byte[] sum = Arrays.copyOfRange(bytes, bytes.length - Digest32.BYTES, bytes.length);
      boolean whole =
          Arrays.equals(take(in, LABEL.length), LABEL)
              && Digest32.sha256(Arrays.copyOf(bytes, bytes.length - Digest32.BYTES))
                  .equals(new Digest32(sum));
      if (!whole) {
        throw new UnusableException("it is damaged");
      }
      if (!new Digest32(take(in, Digest32.BYTES)).equals(beginning.at().head())) {
        throw new UnusableException("it is of another log");
      }
      Mark compared = mark(in);
      Mark swept = mark(in);
      String lines = StandardCharsets.UTF_8.decode(in).toString();
      return new Content(compared, swept, Set.copyOf(lines.lines().toList()));
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new UnusableException("it is damaged");
    }
  }

  /** The record up to which everything was compared, as it was written last. */
  synchronized Mark compared() {
    return content.compared();
  }

  /** Says what an audit compared. */
  synchronized void write(Content audited) {
    content = audited;
    store();
  }

  /** Moves the mark to a record that is in the log, in the tables and behind the anchors. */
  synchronized void moveTo(Mark to, Set<String> tables) {
    write(new Content(to, content.swept(), tables));
  }

  /** Moves the mark of the sweep. */
  synchronized void sweptTo(Mark to) {
    write(new Content(content.compared(), to, content.tables()));
  }

  /** Ends a sweep: the next one begins at the first record. */
  synchronized void sweptAll() {
    sweptTo(beginning);
  }

  /**
   * Removes the file for good, because something does not agree: the next start compares
   * everything.
   */
  synchronized void remove() {
    if (removed) {
      return;
    }
    removed = true;
    try {
      Files.deleteIfExists(path);
      DurableFiles.syncEntry(path, DurableFiles.OF_THE_FILE_SYSTEM);
    } catch (IOException e) {
      log.error("{} cannot be removed; remove it before the next start: {}", path, e.getMessage());
    }
  }

  private void store() {
    if (removed) {
      return;
    }
    try {
      DurableFiles.replace(
          path,
          DurableFiles.OF_THE_FILE_SYSTEM,
          WHAT,
          out -> {
            ByteBuffer bytes = bytes();
            while (bytes.hasRemaining()) {
              out.write(bytes);
            }
          });
    } catch (IOException e) {
      log.warn("{} cannot be written, so the next start takes longer: {}", WHAT, e.getMessage());
    }
  }

  private ByteBuffer bytes() {
    byte[] lines =
        String.join("\n", new TreeSet<>(content.tables())).getBytes(StandardCharsets.UTF_8);
    int markBytes = 2 * Long.BYTES + Digest32.BYTES;
    ByteBuffer out =
        ByteBuffer.allocate(
            LABEL.length + Digest32.BYTES + 2 * markBytes + lines.length + Digest32.BYTES);
    out.put(LABEL).put(beginning.at().head().bytes());
    put(out, content.compared());
    put(out, content.swept());
    out.put(lines);
    byte[] summed = Arrays.copyOf(out.array(), out.position());
    return out.put(Digest32.sha256(summed).bytes()).flip();
  }

  private static void put(ByteBuffer out, Mark mark) {
    out.putLong(mark.at().sequence()).put(mark.at().head().bytes()).putLong(mark.offset());
  }

  private static Mark mark(ByteBuffer in) {
    LogPosition at = new LogPosition(in.getLong(), new Digest32(take(in, Digest32.BYTES)));
    return new Mark(at, in.getLong());
  }

  private static byte[] take(ByteBuffer in, int n) {
    byte[] bytes = new byte[n];
    in.get(bytes);
    return bytes;
  }
}
