package io.solidus.operator.approver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files with secrets, which only their owner may read or write. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private PrivateFiles() {}

  /**
   * Reads a whole file. The caller clears the bytes.
   *
   * @throws ApproveException also for a file that others may access or that is longer than {@code
   *     limit}
   */
  static byte[] read(Path file, String what, int limit) {
    try {
      if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
        throw ApproveException.file(
            what + " " + file + " is open to others: its mode must be 0600");
      }
      if (Files.size(file) > limit) {
        throw ApproveException.file(what + " " + file + " is too long");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw ApproveException.file(what + " " + file + " cannot be read");
    }
  }

  /** Writes a new file of mode 0600. */
  static void writeNew(Path file, byte[] content) {
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    } catch (FileAlreadyExistsException e) {
      throw ApproveException.file("there is a file " + file + " already");
    } catch (IOException e) {
      throw ApproveException.file(file + " cannot be written");
    }
  }
}
