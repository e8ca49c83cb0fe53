package io.solidus.authority.signer.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/** File operations of the sign-log, its anchor file and the checkpoint of its audit. */
final class DurableFiles {

  /** Opens files; tests replace it to simulate failing disks. */
  @FunctionalInterface
  interface Opener {
    /** Opens a file that exists for reading and writing. */
    FileChannel open(Path path) throws IOException;

    default FileChannel openFolder(Path folder) throws IOException {
      return FileChannel.open(folder, StandardOpenOption.READ);
    }
  }

  static final Opener OF_THE_FILE_SYSTEM =
      path -> FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private DurableFiles() {}

  /**
   * Forces a file to the disk.
   *
   * @throws SyncFailedException for any failure: the stored state is unknown then
   */
  static void force(FileChannel channel, boolean metaData, String what) throws IOException {
    try {
      channel.force(metaData);
    } catch (IOException e) {
      throw new SyncFailedException(what, e);
    }
  }

  /**
   * Forces the directory entry of a file to the disk: without it a crash could remove the whole
   * file.
   */
  static void syncEntry(Path path, Opener opener) throws IOException {
    try (FileChannel folder = opener.openFolder(folder(path))) {
      force(folder, true, "the folder of " + path.getFileName());
    }
  }

  /** Writes the content of a new file. */
  @FunctionalInterface
  interface Content {
    void writeTo(FileChannel out) throws IOException;
  }

  /** Replaces a file by a new one that only its owner can read; a crash leaves one of the two. */
  static void replace(Path path, Opener opener, String what, Content content) throws IOException {
    Path made = path.resolveSibling(path.getFileName() + ".new");
    Files.deleteIfExists(made);
    createPrivate(made);
    try (FileChannel out = opener.open(made)) {
      content.writeTo(out);
      force(out, true, what);
    }
    Files.move(made, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncEntry(path, opener);
  }

  /** Creates an empty file that only its owner can read. */
  static void createPrivate(Path path) throws IOException {
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /** The folder of a file. */
  static Path folder(Path file) {
    return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
  }

  static void lock(FileChannel channel, Path path) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException("another signer has the file open: " + path.getFileName());
    }
  }
}
