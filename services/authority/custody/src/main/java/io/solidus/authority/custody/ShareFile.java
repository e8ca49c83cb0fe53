package io.solidus.authority.custody;

import io.solidus.prover.Share;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An authority's secrets as solidus-keys writes them: a JSON object with "index", "class" and
 * hexadecimal "x", "y" and "noteKeySeed". The file may be wrapped by a token. No secret ever
 * becomes a string, because strings cannot be cleared.
 */
public final class ShareFile implements AutoCloseable {

  private static final int MAX_BYTES = 4096;
  private static final int SECRET_BYTES = 32;

  private final byte[] raw;

  private ShareFile(byte[] raw) {
    this.raw = raw;
  }

  /**
   * Reads a file that is not wrapped.
   *
   * @throws IllegalStateException when the file is missing, too long or accessible to others
   */
  static ShareFile read(Path path) {
    try {
      return new ShareFile(PrivateFiles.read(path, MAX_BYTES));
    } catch (IOException e) {
      throw new IllegalStateException("the key share's file cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a file that is wrapped exactly when a token is configured.
   *
   * @param token null for a file that is not wrapped
   * @throws CustodyException when the file is of the other kind or does not open
   * @throws IllegalStateException as {@link #read(Path)}
   */
  public static ShareFile read(Path path, @Nullable TokenAccess token, Binding binding) {
    ShareEnvelope envelope = envelope(path);
    if (token == null) {
      if (envelope != null) {
        throw new CustodyException(
            CustodyCode.NO_TOKEN, "the key share's file is wrapped and no token is configured");
      }
      return read(path);
    }
    if (envelope == null) {
      throw new CustodyException(
          CustodyCode.NOT_WRAPPED, "a token is configured and the key share's file is not wrapped");
    }
    binding.require(envelope.binding()); // before the login with the PIN
    try (Token opened = Token.open(token)) {
      return new ShareFile(envelope.open(opened, binding));
    }
  }

  /**
   * Opens an envelope for the binding that it names. The caller compares the share with a
   * committee.
   *
   * @throws CustodyException as {@link #read(Path, TokenAccess, Binding)}
   */
  static ShareFile unwrap(Path path, TokenAccess token) {
    ShareEnvelope envelope = envelope(path);
    if (envelope == null) {
      throw new CustodyException(CustodyCode.NOT_WRAPPED, "the key share's file is not wrapped");
    }
    return read(path, token, envelope.binding());
  }

  /** The envelope in the file; null when the file does not start like one. */
  private static @Nullable ShareEnvelope envelope(Path path) {
    byte[] raw = firstBytes(path);
    try {
      return ShareEnvelope.looksLikeOne(raw) ? ShareEnvelope.parse(raw) : null;
    } finally {
      Arrays.fill(raw, (byte) 0);
    }
  }

  /** Encrypts this file under a token's key. */
  ShareEnvelope seal(Token token, Binding binding) {
    return ShareEnvelope.seal(token, binding, raw);
  }

  /** Passes the bytes themselves to a writer. */
  void copyTo(Consumer<byte[]> writer) {
    writer.accept(raw);
  }

  /** Whether the other file has the same bytes. */
  boolean sameAs(ShareFile other) {
    return MessageDigest.isEqual(raw, other.raw);
  }

  /** Reads at most one byte more than the longest envelope. */
  private static byte[] firstBytes(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(ShareEnvelope.MAX_BYTES + 1);
    } catch (IOException e) {
      throw new IllegalStateException("the key share's file cannot be read", e);
    }
  }

  /** Opens the share after checking that it belongs to this authority. */
  public Share open(int authority) {
    if (index() != authority) {
      throw new IllegalStateException("the key share belongs to another authority");
    }
    return Share.open(secret("x"), secret("y"), authority);
  }

  /**
   * Requires that the file claims class ceremony. Only comparison with the committee of a
   * ceremony's manifest proves it.
   *
   * @throws CustodyException SHARE_CLASS
   */
  public void requireCeremony() {
    if (!hasMember("class") || !startsWith(valueOf("class"), "\"ceremony\"")) {
      throw new CustodyException(
          CustodyCode.SHARE_CLASS,
          "under the production profile a key share must state that it comes from a ceremony");
    }
  }

  /** 32 bytes; the caller clears them. */
  public byte[] noteKeySeed() {
    return secret("noteKeySeed");
  }

  @Override
  public void close() {
    Arrays.fill(raw, (byte) 0);
  }

  /** The index of the authority. */
  int index() {
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

  private boolean hasMember(String name) {
    return find(name) >= 0;
  }

  /** Offset of a member's value. */
  private int valueOf(String name) {
    int at = find(name);
    if (at < 0) {
      throw malformed();
    }
    return skipTo(skipTo(at + name.length() + 2, ':') + 1, '\0');
  }

  /** Offset of a member's name, or -1. */
  private int find(String name) {
    String quoted = '"' + name + '"';
    for (int i = 0; i + quoted.length() < raw.length; i++) {
      if (startsWith(i, quoted)) {
        return i;
      }
    }
    return -1;
  }

  private boolean startsWith(int from, String text) {
    byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
    return from + wanted.length <= raw.length
        && Arrays.equals(raw, from, from + wanted.length, wanted, 0, wanted.length);
  }

  /** Skips white space, and requires {@code expected} there unless it is NUL. */
  private int skipTo(int from, char expected) {
    int at = from;
    while (at < raw.length
        && (raw[at] == ' ' || raw[at] == '\n' || raw[at] == '\t' || raw[at] == '\r')) {
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
