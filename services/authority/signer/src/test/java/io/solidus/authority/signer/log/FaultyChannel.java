package io.solidus.authority.signer.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file on a {@link FaultyDisk}. */
final class FaultyChannel extends FileChannel {

  /** What happens before an fsync. */
  @FunctionalInterface
  interface Sync {
    void before() throws IOException;
  }

  private final FileChannel disk;
  private final FaultyDisk faults;
  private final Sync sync;

  FaultyChannel(Path path, FaultyDisk faults) throws IOException {
    this(
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE),
        faults,
        faults::beforeSync);
  }

  FaultyChannel(FileChannel disk, FaultyDisk faults, Sync sync) {
    this.disk = disk;
    this.faults = faults;
    this.sync = sync;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    long room = faults.room(disk.position());
    if (room <= 0) {
      throw new IOException("No space left on device");
    }
    int limit = from.limit();
    from.limit((int) Math.min(limit, from.position() + Math.min(room, limit)));
    int written = disk.write(from);
    from.limit(limit);
    return written;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    sync.before();
    disk.force(metaData);
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    return disk.read(to);
  }

  @Override
  public long position() throws IOException {
    return disk.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    disk.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return disk.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    disk.truncate(size);
    return this;
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return disk.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    disk.close();
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(ByteBuffer to, long position) throws IOException {
    return disk.read(to, position);
  }

  @Override
  public int write(ByteBuffer from, long position) throws IOException {
    return disk.write(from, position);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
