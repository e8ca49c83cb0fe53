package io.solidus.authority.signer.log;

import io.solidus.protocol.Digest32;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * The file of the sign-log: frames of length u16, record, chain value 32. Opening verifies every
 * frame. A frame that a crash left incomplete was never fsynced, so its signature never left;
 * {@link #cutTornTail} removes it once the anchor has shown that nothing else is missing. Damage
 * further back is fatal.
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
  private static final int MAX_FRAME_BYTES = 2 + SignRecord.MAX_BYTES + HEAD_BYTES;

  /** The maximum size of one append, and so of the part that a crash can tear. */
  static final int MAX_APPEND_BYTES = SignLog.MAX_GROUP * MAX_FRAME_BYTES;

  private final FileChannel channel;
  private final long verifiedEnd;
  private LogPosition position;
  private boolean writable;

  private SignLogFile(FileChannel channel, long verifiedEnd, LogPosition position) {
    this.channel = channel;
    this.verifiedEnd = verifiedEnd;
    this.position = position;
  }

  /** Verifies the whole file without changing it, and passes every record to {@code visitor}. */
  static SignLogFile open(Path path, LogPosition genesis, Visitor visitor) throws IOException {
    return open(path, genesis, visitor, DurableFiles.OF_THE_FILE_SYSTEM);
  }

  static SignLogFile open(
      Path path, LogPosition genesis, Visitor visitor, DurableFiles.Opener opener)
      throws IOException {
    createPrivate(path, opener);
    FileChannel channel = opener.open(path);
    try {
      DurableFiles.lock(channel, path);
      Replay replay = new Replay(genesis, visitor);
      long end = replay.run(channel);
      return new SignLogFile(channel, end, replay.position);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  LogPosition position() {
    return position;
  }

  /** Passes every record to {@code visitor} once more; for a file that nothing was appended to. */
  void replay(LogPosition genesis, Visitor visitor) throws IOException {
    new Replay(genesis, visitor).run(channel);
    channel.position(verifiedEnd);
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
    long torn = channel.size() - verifiedEnd;
    if (torn > 0) {
      channel.truncate(verifiedEnd);
    }
    requireRoom();
    DurableFiles.force(channel, true, WHAT);
    channel.position(verifiedEnd);
    writable = true;
    return torn;
  }

  /**
   * Requires room for the largest append. A crash in this method leaves zeros. Zeros are not a
   * frame, and they are not longer than a torn append.
   */
  private void requireRoom() throws IOException {
    channel.position(verifiedEnd);
    try {
      write(ByteBuffer.allocate(MAX_APPEND_BYTES));
    } finally {
      channel.truncate(verifiedEnd);
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
    LogPosition at = position;
    ByteBuffer frames = ByteBuffer.allocate(records.size() * MAX_FRAME_BYTES);
    for (SignRecord record : records) {
      byte[] body = record.toBytes();
      at = HashChain.next(at, body);
      frames.putShort((short) body.length).put(body).put(at.head().bytes());
    }
    frames.flip();
    writable = false;
    write(frames);
    DurableFiles.force(channel, false, WHAT);
    writable = true;
    position = at;
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

  private static void createPrivate(Path path, DurableFiles.Opener opener) throws IOException {
    if (Files.exists(path)) {
      return;
    }
    Path folder = DurableFiles.folder(path);
    Files.createDirectories(folder);
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    DurableFiles.syncEntry(path, opener);
  }

  private static final class Replay {
    private final Visitor visitor;
    private LogPosition position;

    Replay(LogPosition genesis, Visitor visitor) {
      this.position = genesis;
      this.visitor = visitor;
    }

    /** Verifies the frames and returns the offset after the last complete one. */
    long run(FileChannel channel) throws IOException {
      long size = channel.size();
      long end = 0;
      channel.position(0);
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 1 << 16));
      while (end < size) {
        Optional<byte[]> body = frame(in);
        if (body.isEmpty()) {
          requireTornTail(size - end);
          return end;
        }
        position = HashChain.next(position, body.get());
        end += 2 + body.get().length + HEAD_BYTES;
        visitor.visit(decode(body.get()), position);
      }
      return end;
    }

    /** The next record; empty when the frame is incomplete or does not continue the chain. */
    private Optional<byte[]> frame(DataInputStream in) throws IOException {
      try {
        byte[] body = new byte[in.readUnsignedShort()];
        byte[] head = new byte[HEAD_BYTES];
        in.readFully(body);
        in.readFully(head);
        boolean continues = HashChain.next(position, body).head().equals(new Digest32(head));
        return continues ? Optional.of(body) : Optional.empty();
      } catch (EOFException e) {
        return Optional.empty();
      }
    }

    private SignRecord decode(byte[] body) {
      try {
        return SignRecord.fromBytes(body);
      } catch (RuntimeException e) {
        throw new LogDamagedException(
            "record " + position.sequence() + " of the sign-log is not a record");
      }
    }

    /** Requires that the rest is a torn append: a crash tears at most the frames of one. */
    private void requireTornTail(long remaining) {
      if (remaining > MAX_APPEND_BYTES) {
        throw new LogDamagedException(
            "the sign-log is damaged after record " + position.sequence() + ", far from its end");
      }
    }
  }
}
