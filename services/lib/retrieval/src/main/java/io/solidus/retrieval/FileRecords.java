package io.solidus.retrieval;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records in a file, read in parts: from the page cache when the system has them there. A file that
 * is deleted, cut off or on a broken disk is an error of the one reading.
 *
 * @param at where the first record begins
 */
public record FileRecords(Path file, long at) implements StoredRecords {
  private static final int READ_BYTES = 128 * 1024;

  /** Buffers outside the heap, one for each reading at the same time. */
  private static final Queue<ByteBuffer> BUFFERS = new ConcurrentLinkedQueue<>();

  @Override
  public Reading open() throws IOException {
    return new FromFile(FileChannel.open(file), at);
  }

  private static final class FromFile implements Reading {
    private final FileChannel channel;
    private final ByteBuffer buffer;
    private long at;

    FromFile(FileChannel channel, long at) {
      this.channel = channel;
      this.at = at;
      ByteBuffer free = BUFFERS.poll();
      this.buffer =
          free == null
              ? ByteBuffer.allocateDirect(READ_BYTES).order(ByteOrder.LITTLE_ENDIAN)
              : free;
    }

    @Override
    public void next(long[] words, int length) throws IOException {
      int most = READ_BYTES / Long.BYTES;
      for (int from = 0; from < length; from += most) {
        int some = Math.min(most, length - from);
        fill(some * Long.BYTES);
        buffer.asLongBuffer().get(words, from, some);
      }
    }

    private void fill(int bytes) throws IOException {
      buffer.clear().limit(bytes);
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, at);
        if (read < 0) {
          throw new EOFException("a file of records is too short");
        }
        at += read;
      }
      buffer.flip();
    }

    @Override
    public void close() throws IOException {
      BUFFERS.add(buffer);
      channel.close();
    }
  }
}
