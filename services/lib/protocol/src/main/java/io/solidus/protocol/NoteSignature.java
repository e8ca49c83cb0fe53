package io.solidus.protocol;

import java.util.Arrays;
import java.util.Base64;

/**
 * One signature line of a note.
 *
 * @param keyHash 4 bytes
 * @param signature 64 bytes for an Ed25519 key; signatures of unknown keys may have other lengths
 */
public record NoteSignature(String name, byte[] keyHash, byte[] signature) {
  private static final String START = "\u2014 ";
  private static final int MAX_SIGNATURE = 1024;

  public NoteSignature {
    NoteKey.requireName(name);
    keyHash = Bytes.fixed(keyHash, NoteKey.HASH_BYTES, "a key hash");
    signature = signature.clone();
    if (signature.length == 0 || signature.length > MAX_SIGNATURE) {
      throw ProtocolException.malformed("a note's signature has a wrong length");
    }
  }

  static NoteSignature parse(String line) {
    String[] parts =
        line.startsWith(START) ? line.substring(START.length()).split(" ", -1) : new String[0];
    if (parts.length != 2) {
      throw ProtocolException.malformed("a note's signature line is malformed");
    }
    byte[] raw = decode(parts[1]);
    if (raw.length <= NoteKey.HASH_BYTES) {
      throw ProtocolException.malformed("a note's signature line is too short");
    }
    return new NoteSignature(
        parts[0],
        Arrays.copyOf(raw, NoteKey.HASH_BYTES),
        Arrays.copyOfRange(raw, NoteKey.HASH_BYTES, raw.length));
  }

  String line() {
    byte[] raw = Arrays.copyOf(keyHash, keyHash.length + signature.length);
    System.arraycopy(signature, 0, raw, keyHash.length, signature.length);
    return START + name + " " + Base64.getEncoder().encodeToString(raw);
  }

  /** Returns whether this line names {@code key} as its signer. The signature is not verified. */
  public boolean isOf(NoteKey key) {
    return name.equals(key.name()) && Arrays.equals(keyHash, key.hash());
  }

  @Override
  public byte[] keyHash() {
    return keyHash.clone();
  }

  @Override
  public byte[] signature() {
    return signature.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoteSignature that && line().equals(that.line());
  }

  @Override
  public int hashCode() {
    return line().hashCode();
  }

  private static byte[] decode(String base64) {
    try {
      byte[] raw = Base64.getDecoder().decode(base64);
      if (Base64.getEncoder().encodeToString(raw).equals(base64)) {
        return raw;
      }
    } catch (IllegalArgumentException e) {
      // refused below, together with non-canonical encodings
    }
    throw ProtocolException.malformed("a note's signature is not canonical base64");
  }
}
