package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file of the sign-log: frames of length u16, record, chain value 32. It is verified frame by
 * frame before it is appended to. A frame that a crash left incomplete was never fsynced, so its
 * signature never left; {@link #cutTornTail} removes it once the anchor has shown that nothing else
 * is missing. Damage further back is fatal.
 *
 * <p>Not thread-safe: one writer owns it. A lock keeps other processes away.
 */
final class SignLogFile implements AutoCloseable {

  /** Receives each record with the position after it. */
  interface Visitor {
    void visit(SignRecord record, LogPosition after);
  }

  private static final String WHAT = "the sign-log";
  private static final int HEAD_BYTES = 32;

  /** The bytes of a frame besides its record. */
  private static final int FRAME_BYTES = 2 + HEAD_BYTES;

  /**
   * The maximum size of one append, and so of the part that a crash can tear. Records of recovers
   * are longer than others, so fewer of them fit.
   */
  static final int MAX_APPEND_BYTES = SignLog.MAX_GROUP * (FRAME_BYTES + SignRecord.USUAL_BYTES);

  /** The bytes that an append of records takes. */
  static int bytesOf(List<SignRecord> records) {
    return records.stream().mapToInt(record -> FRAME_BYTES + record.bytes()).sum();
  }

  private final FileChannel channel;

  /** The end of what is verified and written. */
  private Mark end;

  private boolean writable;

  private SignLogFile(FileChannel channel, Mark end) {
    this.channel = channel;
    this.end = end;
  }

  /** Opens a file and verifies the whole of it, as {@link #verify}. */
  static SignLogFile open(Path path, LogPosition genesis, Visitor visitor) throws IOException {
    return open(path, genesis, visitor, DurableFiles.OF_THE_FILE_SYSTEM);
  }

  static SignLogFile open(
      Path path, LogPosition genesis, Visitor visitor, DurableFiles.Opener opener)
      throws IOException {
    SignLogFile file = open(path, genesis, opener);
    try {
      file.verify(Mark.beginningOf(genesis), visitor);
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Opens a file that is to be verified. */
  static SignLogFile open(Path path, LogPosition genesis, DurableFiles.Opener opener)
      throws IOException {
    createIfMissing(path, opener);
    FileChannel channel = opener.open(path);
    try {
      DurableFiles.lock(channel, path);
      return new SignLogFile(channel, Mark.beginningOf(genesis));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Whether the file has a record's end at a mark, with the head of the mark. */
  boolean holds(Mark mark) throws IOException {
    if (mark.offset() == 0) {
      return mark.equals(end);
    }
    if (mark.offset() < HEAD_BYTES || mark.offset() > channel.size()) {
      return false;
    }
    byte[] head = new byte[HEAD_BYTES];
    input(mark.offset() - HEAD_BYTES).readFully(head);
    return mark.at().head().equals(new Digest32(head));
  }

  /**
   * Verifies the file from a mark that it holds to its end, without changing it, and passes every
   * record to {@code visitor}.
   */
  void verify(Mark from, Visitor visitor) throws IOException {
    long size = channel.size();
    end = read(from, size, Long.MAX_VALUE, visitor);
    if (size - end.offset() > MAX_APPEND_BYTES) {
      // a crash tears at most the frames of one append
      throw damagedAfter(end);
    }
  }

  /** Passes every verified record behind a mark to {@code visitor} once more. */
  void replay(Mark from, Visitor visitor) throws IOException {
    Mark to = end;
    if (!read(from, to.offset(), Long.MAX_VALUE, visitor).equals(to)) {
      throw new LogDamagedException("the sign-log has changed since it was verified");
    }
  }

  /**
   * Passes at most {@code most} records before an offset to {@code visitor}. Another thread may
   * append meanwhile.
   *
   * @param to the end of a record
   * @return the mark after the last record
   * @throws LogDamagedException when there are fewer than {@code most} and they do not end at
   *     {@code to}
   */
  Mark reread(Mark from, long to, long most, Visitor visitor) throws IOException {
    Mark after = read(from, to, most, visitor);
    if (after.offset() < to && after.at().sequence() - from.at().sequence() < most) {
      throw damagedAfter(after);
    }
    return after;
  }

  /** The end of what is verified and written. */
  Mark end() {
    return end;
  }

  LogPosition position() {
    return end.at();
  }

  /**
   * Makes the file ready for appending. It fsyncs what was verified: a killed process may have left
   * whole records in memory only, and no anchor may be ahead of the disk.
   *
   * @return the number of bytes removed of a torn last write
   * @throws IOException when the volume has no room for the largest append: the log would fail
   *     again at once
   */
  long cutTornTail() throws IOException {
    long torn = channel.size() - end.offset();
    requireRoom();
    DurableFiles.force(channel, true, WHAT);
    channel.position(end.offset());
    writable = true;
    return torn;
  }

  /**
   * Requires room for the largest append, and removes everything behind the end. A crash in this
   * method leaves zeros. Zeros are not a frame, and they are not longer than a torn append.
   */
  private void requireRoom() throws IOException {
    channel.position(end.offset());
    try {
      write(ByteBuffer.allocate(MAX_APPEND_BYTES));
    } finally {
      channel.truncate(end.offset());
    }
  }

  /**
   * Appends and fsyncs. After a failed write or fsync the state of the disk is unknown, so the file
   * accepts nothing more until it is opened, and verified, again.
   *
   * @throws SyncFailedException when even opening it again cannot tell what is stored
   */
  LogPosition append(List<SignRecord> records) throws IOException {
    if (!writable) {
      throw new IOException("the sign-log failed before, or was not verified; it takes no record");
    }
    LogPosition at = end.at();
    ByteBuffer frames = ByteBuffer.allocate(bytesOf(records));
    for (SignRecord record : records) {
      byte[] body = record.toBytes();
      at = HashChain.next(at, body);
      frames.putShort((short) body.length).put(body).put(at.head().bytes());
    }
    frames.flip();
    Mark after = new Mark(at, end.offset() + frames.limit());
    writable = false;
    write(frames);
    DurableFiles.force(channel, false, WHAT);
    writable = true;
    end = after;
    return at;
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Flushes the data of a failed write: only the process that wrote it is certain to get an error
   * of writing it back.
   */
  void sync() throws IOException {
    DurableFiles.force(channel, true, WHAT);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static void createIfMissing(Path path, DurableFiles.Opener opener) throws IOException {
    if (Files.exists(path)) {
      return;
    }
    Files.createDirectories(DurableFiles.folder(path));
    DurableFiles.createPrivate(path);
    DurableFiles.syncEntry(path, opener);
  }

  /**
   * Verifies frames and passes their records to {@code visitor}. It stops at a frame that is
   * incomplete or does not continue the chain.
   */
  private Mark read(Mark from, long to, long most, Visitor visitor) throws IOException {
    DataInputStream in = input(from.offset());
    Mark at = from;
    for (long n = 0; n < most && at.offset() < to; n++) {
      byte[] body;
      byte[] head = new byte[HEAD_BYTES];
      try {
        body = new byte[in.readUnsignedShort()];
        in.readFully(body);
        in.readFully(head);
      } catch (EOFException e) {
        return at;
      }
      LogPosition next = HashChain.next(at.at(), body);
      if (!next.head().equals(new Digest32(head))) {
        return at;
      }
      at = new Mark(next, at.offset() + 2 + body.length + HEAD_BYTES);
      visitor.visit(decode(body, next), next);
    }
    return at;
  }

  /** Reads from an offset without moving the place where the writer appends. */
  private DataInputStream input(long offset) {
    InputStream bytes =
        new InputStream() {
          private long at = offset;

          @Override
          public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
          }

          @Override
          public int read(byte[] to, int start, int length) throws IOException {
            int read = channel.read(ByteBuffer.wrap(to, start, length), at);
            at += Math.max(read, 0);
            return read;
          }
        };
    return new DataInputStream(new BufferedInputStream(bytes, 1 << 16));
  }

  private static SignRecord decode(byte[] body, LogPosition at) {
    try {
      return SignRecord.fromBytes(body);
    } catch (RuntimeException e) {
      throw new LogDamagedException("record " + at.sequence() + " of the sign-log is not a record");
    }
  }

  private static LogDamagedException damagedAfter(Mark mark) {
    return new LogDamagedException(
        "the sign-log is damaged after record " + mark.at().sequence() + ", far from its end");
  }
}
