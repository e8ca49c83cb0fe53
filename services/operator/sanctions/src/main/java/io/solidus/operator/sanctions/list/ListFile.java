package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * An uploaded file on disk, so that a slow upload holds neither a database connection nor memory.
 *
 * @param digest SHA-256, hexadecimal
 */
record ListFile(Path path, long bytes, String digest) implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;

  /** Copies the upload to a private temporary file. */
  static ListFile receive(InputStream upload, long limit) throws IOException, ListRefusedException {
    Path path = Files.createTempFile("solidus-list-", ".upload");
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      long bytes = 0;
      try (OutputStream out = new DigestOutputStream(Files.newOutputStream(path), sha)) {
        byte[] buffer = new byte[BUFFER];
        for (int read = upload.read(buffer); read >= 0; read = upload.read(buffer)) {
          bytes += read;
          if (bytes > limit) {
            throw new ListRefusedException(
                Reason.TOO_LARGE, "a list file may have at most " + limit + " bytes");
          }
          out.write(buffer, 0, read);
        }
      }
      return new ListFile(path, bytes, HexFormat.of().formatHex(sha.digest()));
    } catch (IOException | ListRefusedException | RuntimeException e) {
      Files.deleteIfExists(path);
      throw e;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every Java platform", e);
    }
  }

  InputStream open() throws IOException {
    return new BufferedInputStream(Files.newInputStream(path), BUFFER);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
  }
}
