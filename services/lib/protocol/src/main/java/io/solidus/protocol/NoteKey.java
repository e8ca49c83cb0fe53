package io.solidus.protocol;

import java.util.Arrays;

/**
 * The name and Ed25519 public key of a signer of notes (C2SP signed-note).
 *
 * @param name not empty, without white space and plus signs
 */
@Spec("F-25")
public record NoteKey(String name, Ed25519PublicKey publicKey) {
  private static final byte ED25519 = 1;
  static final int HASH_BYTES = 4;

  public NoteKey {
    requireName(name);
  }

  /**
   * Returns the first four bytes of SHA-256(name || "\n" || 1 || public key), which distinguish the
   * keys of one name.
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
