package io.solidus.authority.signer.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** File operations of the sign-log and its anchor file. */
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
