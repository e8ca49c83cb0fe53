package io.solidus.wallet.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Replaces a file so that a crash at any moment leaves either the old or the new content. A
 * temporary file is written and fsynced, then renamed over the old one, and the folder is fsynced.
 */
class AtomicFile {
  private final Path path;

  AtomicFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  Path path() {
    return path;
  }

  final void write(byte[] content) throws IOException {
    Path temporary = temporary();
    Files.deleteIfExists(temporary);
    Files.createFile(temporary, ownerOnly());
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    beforeRename();
    Files.move(
        temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  /** Deletes the temporary file of a write that did not reach its rename. */
  final void removeLeftover() throws IOException {
    Files.deleteIfExists(temporary());
  }

  /** Does nothing; tests fail here to simulate a crash. */
  void beforeRename() throws IOException {}

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
