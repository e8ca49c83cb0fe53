package io.solidus.validator.signer;

import io.solidus.prover.Share;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * An authority's secrets as solidus-keys writes them: a JSON object with "index" and hexadecimal "x", "y" and
 * "noteKeySeed". Read without ever making a string of a secret, since strings cannot be cleared.
 */
final class ShareFile implements AutoCloseable {

  private static final int MAX_BYTES = 4096;
  private static final int SECRET_BYTES = 32;
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final byte[] raw;

  private ShareFile(byte[] raw) {
    this.raw = raw;
  }

  /** @throws IllegalStateException when the file is missing, too long, or readable by others */
  static ShareFile read(Path path) {
    try {
      Set<PosixFilePermission> granted = Files.getPosixFilePermissions(path);
      if (granted.stream().anyMatch(OTHERS::contains)) {
        throw new IllegalStateException("the key share's file is open to others: its mode must be 0600");
      }
      if (Files.size(path) > MAX_BYTES) {
        throw new IllegalStateException("the key share's file is too long to be one");
      }
      return new ShareFile(Files.readAllBytes(path));
    } catch (IOException e) {
      throw new IllegalStateException("the key share's file cannot be read", e);
    }
  }

  /** The share, once it is known to be the one of this authority. */
  Share open(int authority) {
    if (index() != authority) {
      throw new IllegalStateException("the key share is another authority's");
    }
    return Share.open(secret("x"), secret("y"), authority);
  }

  /** 32 bytes; the caller clears them. */
  byte[] noteKeySeed() {
    return secret("noteKeySeed");
  }

  @Override
  public void close() {
    Arrays.fill(raw, (byte) 0);
  }

  private int index() {
    int at = valueOf("index");
    int value = 0;
    int digits = 0;
    while (at < raw.length && raw[at] >= '0' && raw[at] <= '9' && digits < 4) {
      value = value * 10 + raw[at] - '0';
      at++;
      digits++;
    }
    if (digits == 0) {
      throw malformed();
    }
    return value;
  }

  private byte[] secret(String name) {
    int at = valueOf(name);
    int end = at + 1 + 2 * SECRET_BYTES;
    if (at >= raw.length || raw[at] != '"' || end >= raw.length || raw[end] != '"') {
      throw malformed();
    }
    byte[] secret = new byte[SECRET_BYTES];
    for (int i = 0; i < SECRET_BYTES; i++) {
      int high = Character.digit(raw[at + 1 + 2 * i], 16);
      int low = Character.digit(raw[at + 2 + 2 * i], 16);
      if (high < 0 || low < 0) {
        Arrays.fill(secret, (byte) 0);
        throw malformed();
      }
      secret[i] = (byte) (high << 4 | low);
    }
    return secret;
  }

  /** Offset of a member's value. */
  private int valueOf(String name) {
    byte[] key = ('"' + name + '"').getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i + key.length < raw.length; i++) {
      if (Arrays.equals(raw, i, i + key.length, key, 0, key.length)) {
        return skipTo(skipTo(i + key.length, ':') + 1, '\0');
      }
    }
    throw malformed();
  }

  /** Skips white space, and requires {@code expected} there unless it is NUL. */
  private int skipTo(int from, char expected) {
    int at = from;
    while (at < raw.length && (raw[at] == ' ' || raw[at] == '\n' || raw[at] == '\t' || raw[at] == '\r')) {
      at++;
    }
    if (expected != '\0' && (at >= raw.length || raw[at] != expected)) {
      throw malformed();
    }
    return at;
  }

  private static IllegalStateException malformed() {
    return new IllegalStateException("the key share's file is malformed");
  }
}
