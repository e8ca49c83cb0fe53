package io.solidus.authority.custody;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Files with secrets: nobody but their owner may read or write them. */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private PrivateFiles() {}

  /**
   * The caller clears what is returned.
   *
   * @throws IOException also for a file that others may read or that is longer than {@code limit}
   */
  public static byte[] read(Path file, int limit) throws IOException {
    if (isOpen(file)) {
      throw new IOException(file.getFileName() + " is open to others: its mode must be 0600");
    }
    if (Files.size(file) > limit) {
      throw new IOException(file.getFileName() + " is too long");
    }
    return Files.readAllBytes(file);
  }

  public static boolean isOpen(Path file) throws IOException {
    return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
  }
}
