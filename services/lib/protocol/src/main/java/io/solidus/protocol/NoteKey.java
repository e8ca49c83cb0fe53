package io.solidus.protocol;

import java.util.Arrays;

/**
 * A name and the Ed25519 key it signs notes with (C2SP signed-note).
 *
 * @param name not empty, without white space and plus signs
 */
public record NoteKey(String name, Ed25519PublicKey publicKey) {
  private static final byte ED25519 = 1;
  static final int HASH_BYTES = 4;

  public NoteKey {
    requireName(name);
  }

  /**
   * The first four bytes of SHA-256(name || "\n" || 1 || public key): tells keys of one name apart.
   */
  byte[] hash() {
    byte[] digest =
        Transcript.digest(
            "SHA-256", Bytes.utf8(name), new byte[] {'\n', ED25519}, publicKey.bytes());
    return Arrays.copyOf(digest, HASH_BYTES);
  }

  static void requireName(String name) {
    if (name.isEmpty() || name.indexOf('+') >= 0 || name.codePoints().anyMatch(NoteKey::isSpace)) {
      throw ProtocolException.malformed(
          "a note key's name is empty or holds a space or a plus sign");
    }
  }

  private static boolean isSpace(int codePoint) {
    return Character.isWhitespace(codePoint)
        || Character.isSpaceChar(codePoint)
        || Character.isISOControl(codePoint);
  }
}
