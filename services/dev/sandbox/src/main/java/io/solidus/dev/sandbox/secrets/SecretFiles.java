package io.solidus.dev.sandbox.secrets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/**
 * The secret files of a development installation. Each is made once and readable by its owner only.
 */
public final class SecretFiles {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path directory;

  public SecretFiles(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
  }

  /** A file of {@code length} random bytes, made when it is missing. */
  public Path random(String name, int length) throws IOException {
    Path file = directory.resolve(name);
    if (!Files.exists(file)) {
      byte[] bytes = new byte[length];
      RANDOM.nextBytes(bytes);
      write(file, bytes);
    }
    return file;
  }

  /** A file with the given content, made when it is missing. */
  public Path create(String name, byte[] content) throws IOException {
    Path file = directory.resolve(name);
    if (!Files.exists(file)) {
      write(file, content);
    }
    return file;
  }

  public Path path(String name) {
    return directory.resolve(name);
  }

  private static void write(Path file, byte[] content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(temporary);
    Files.createFile(
        temporary,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(temporary, content, StandardOpenOption.WRITE);
    Files.move(temporary, file);
  }
}
