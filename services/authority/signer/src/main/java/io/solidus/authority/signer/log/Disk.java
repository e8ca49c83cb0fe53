package io.solidus.authority.signer.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What the sign-log and its anchor file ask of a file system. */
final class Disk {

  private Disk() {}

  /**
   * @throws SyncFailedException whatever the reason: nobody knows then what is stored
   */
  static void force(FileChannel channel, boolean metaData, String what) throws IOException {
    try {
      channel.force(metaData);
    } catch (IOException e) {
      throw new SyncFailedException(what, e);
    }
  }

  /** The directory entry must survive a crash as well, or the whole file could vanish with it. */
  static void syncEntry(Path path) throws IOException {
    try (FileChannel folder =
        FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      force(folder, true, "the folder of " + path.getFileName());
    }
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
