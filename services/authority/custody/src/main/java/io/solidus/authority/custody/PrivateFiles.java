package io.solidus.authority.custody;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Reads files with secrets, which only their owner may read or write. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private PrivateFiles() {}

  /**
   * Reads a whole file. The caller clears the bytes.
   *
   * @throws IOException also for a file that others may access or that is longer than {@code limit}
   */
  static byte[] read(Path file, int limit) throws IOException {
    if (isOpen(file)) {
      throw new IOException(file.getFileName() + " is open to others: its mode must be 0600");
    }
    if (Files.size(file) > limit) {
      throw new IOException(file.getFileName() + " is too long");
    }
    return Files.readAllBytes(file);
  }

  private static boolean isOpen(Path file) throws IOException {
    return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
  }
}
