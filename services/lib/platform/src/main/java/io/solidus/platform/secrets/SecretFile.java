package io.solidus.platform.secrets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;

/** Reads files that hold a 32-byte key. */
public final class SecretFile {
  public static final int BYTES = 32;

  private SecretFile() {}

  /**
   * Passes the key to {@code use} and then overwrites it.
   *
   * @param what the key in words, for the error text
   * @throws IllegalStateException when the file cannot be read, has another length or is all zeros
   */
  public static <T> T read(Path file, String what, Function<byte[], T> use) {
    byte[] key;
    try {
      key = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalStateException(what + " cannot be read", e);
    }
    try {
      if (key.length != BYTES || Arrays.equals(key, new byte[BYTES])) {
        throw new IllegalStateException(what + " must hold exactly " + BYTES + " random bytes");
      }
      return use.apply(key);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
