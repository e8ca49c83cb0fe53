package io.solidus.wallet.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A file that is replaced as a whole or gets an entry at its end. A crash leaves the old content,
 * the new one, or the old one and a part of the entry. All is fsynced before a method returns.
 */
class LogFile {
  private final Path path;

  /** The part of the file that counts. */
  private long length;

  private @Nullable Object key;

  LogFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  Path path() {
    return path;
  }

  long length() {
    return length;
  }

  /**
   * Begins with the file as it lies there, and cuts off what follows the first bytes.
   *
   * @param intact number of bytes that count
   */
  final void begin(long intact) throws IOException {
    Files.deleteIfExists(temporary()); // of a replacement that did not reach its rename
    length = intact;
    key = key();
    if (Files.size(path) > intact) {
      cut();
    }
  }

  /** Writes a temporary file, renames it over the old one, and fsyncs both and the folder. */
  final void replace(byte[] content) throws IOException {
    Path temporary = temporary();
    Files.deleteIfExists(temporary);
    Files.createFile(temporary, ownerOnly());
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      write(channel, content);
      channel.force(true);
    }
    beforeRename();
    key = null;
    Files.move(
        temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
    length = content.length;
    key = key();
  }

  /**
   * Whether an entry may follow. After a failed write it is not known what the disk has, and
   * another program may have put another file in this place.
   */
  final boolean mayAppend() {
    try {
      return key != null && key.equals(key()) && Files.size(path) == length;
    } catch (IOException e) {
      return false;
    }
  }

  final void append(byte[] entry) throws IOException {
    Object own = key;
    key = null;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      write(channel.position(length), entry);
      beforeForce(entry);
      channel.force(true);
    } catch (IOException e) {
      cutAfterFailure(e);
      throw e;
    }
    length += entry.length;
    key = own;
  }

  /** Does nothing; tests fail here to simulate a crash. */
  void beforeRename() throws IOException {}

  /**
   * Does nothing; tests fail here to simulate a crash.
   *
   * @param entry at the end of the file, not fsynced
   */
  void beforeForce(byte[] entry) throws IOException {}

  private void cut() throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(length).force(true);
    }
  }

  private void cutAfterFailure(IOException failure) {
    try {
      cut();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void write(FileChannel channel, byte[] content) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /** The identity of the file that has this path now. */
  private Object key() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    Object identity = attributes.fileKey();
    return identity != null ? identity : attributes.creationTime();
  }

  private Path temporary() {
    return path.resolveSibling(path.getFileName() + ".tmp");
  }

  private FileAttribute<?>[] ownerOnly() {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
